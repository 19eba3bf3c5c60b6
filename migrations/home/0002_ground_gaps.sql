CREATE TABLE "package_trusted_roots" (
	"root_id" bigint PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"cert_sha256" text NOT NULL,
	"subject" text NOT NULL,
	"not_before" bigint NOT NULL,
	"not_after" bigint NOT NULL,
	"pem" text NOT NULL,
	"added_by" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_deletions" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"asked_by" bigint,
	"asked_at" bigint NOT NULL,
	"erases_at" bigint NOT NULL,
	"is_held_up" boolean DEFAULT false NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "member_bulk_items" (
	"bulk_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"result" text NOT NULL,
	"code" integer,
	"message" text,
	"at" bigint,
	CONSTRAINT "member_bulk_items_bulk_id_position_pk" PRIMARY KEY("bulk_id","position")
);
--> statement-breakpoint
CREATE TABLE "member_bulks" (
	"bulk_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"action" text NOT NULL,
	"roles" text[] NOT NULL,
	"total" integer NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "member_roles" (
	"team_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"role" text NOT NULL,
	"status" text NOT NULL,
	"joined_at" bigint NOT NULL,
	CONSTRAINT "member_roles_team_id_account_id_role_pk" PRIMARY KEY("team_id","account_id","role")
);
--> statement-breakpoint
ALTER TABLE "package_claims" ADD COLUMN "domain" text;--> statement-breakpoint
ALTER TABLE "store_records" ADD COLUMN "has_public_pictures" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "feature_switches" ADD COLUMN "groups" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "has_role_rows" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "package_trusted_roots_once" ON "package_trusted_roots" USING btree ("purpose","cert_sha256");--> statement-breakpoint
CREATE INDEX "account_deletions_due" ON "account_deletions" USING btree ("state","erases_at","account_id");--> statement-breakpoint
CREATE INDEX "member_bulks_of_team" ON "member_bulks" USING btree ("team_id","bulk_id");--> statement-breakpoint
CREATE INDEX "member_roles_present" ON "member_roles" USING btree ("team_id","role","joined_at","account_id") WHERE "member_roles"."status" <> 'removed';--> statement-breakpoint
CREATE INDEX "member_roles_by_status" ON "member_roles" USING btree ("team_id","role","status","joined_at","account_id");--> statement-breakpoint
CREATE INDEX "store_records_without_pictures" ON "store_records" USING btree ("zone","version_id") WHERE "store_records"."state" = 'on_shelf' AND NOT "store_records"."has_public_pictures";--> statement-breakpoint
CREATE INDEX "accounts_leaving" ON "accounts" USING btree ("account_id") WHERE "accounts"."status" = 3;--> statement-breakpoint
CREATE INDEX "members_without_role_rows" ON "members" USING btree ("account_id") WHERE NOT "members"."has_role_rows";