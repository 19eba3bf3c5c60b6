CREATE TABLE "beta_activities" (
	"activity_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"group_id" bigint NOT NULL,
	"state" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"reward" text NOT NULL,
	"quota" integer NOT NULL,
	"joined" integer DEFAULT 0 NOT NULL,
	"device_models" text[] NOT NULL,
	"start_at" bigint NOT NULL,
	"end_at" bigint NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "beta_feedback" (
	"feedback_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"version_name" text,
	"version_code" bigint,
	"user_id" bigint,
	"sender" text NOT NULL,
	"text" text NOT NULL,
	"device" jsonb NOT NULL,
	"screenshots" text[] NOT NULL,
	"state" text NOT NULL,
	"note" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "beta_import_items" (
	"bulk_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"line" integer NOT NULL,
	"group_id" bigint,
	"group_name" text NOT NULL,
	"account" text NOT NULL,
	"nickname" text NOT NULL,
	"result" text NOT NULL,
	"code" integer,
	"message" text,
	"at" bigint,
	CONSTRAINT "beta_import_items_bulk_id_position_pk" PRIMARY KEY("bulk_id","position")
);
--> statement-breakpoint
CREATE TABLE "beta_imports" (
	"bulk_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"group_id" bigint,
	"total" integer NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "beta_joins" (
	"join_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"group_id" bigint NOT NULL,
	"link_id" bigint,
	"activity_id" bigint,
	"account" text NOT NULL,
	"nickname" text NOT NULL,
	"language" text NOT NULL,
	"mails" integer NOT NULL,
	"mailed_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "beta_links" (
	"link_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"group_id" bigint NOT NULL,
	"state" text NOT NULL,
	"limit" integer NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "beta_pictures" (
	"object_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"sender" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "version_test_groups" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "version_test_users" ADD COLUMN "account_id" bigint;--> statement-breakpoint
ALTER TABLE "version_test_users" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "beta_activities_group" ON "beta_activities" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "beta_activities_of_app" ON "beta_activities" USING btree ("app_id","activity_id");--> statement-breakpoint
CREATE INDEX "beta_activities_open" ON "beta_activities" USING btree ("end_at") WHERE "beta_activities"."state" = 'RECRUITING';--> statement-breakpoint
CREATE INDEX "beta_feedback_of_app" ON "beta_feedback" USING btree ("app_id","feedback_id");--> statement-breakpoint
CREATE INDEX "beta_feedback_of_sender" ON "beta_feedback" USING btree ("sender","created_at");--> statement-breakpoint
CREATE INDEX "beta_feedback_of_version" ON "beta_feedback" USING btree ("version_id","created_at");--> statement-breakpoint
CREATE INDEX "beta_feedback_of_user" ON "beta_feedback" USING btree ("user_id") WHERE "beta_feedback"."user_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "beta_imports_of_app" ON "beta_imports" USING btree ("app_id","bulk_id");--> statement-breakpoint
CREATE UNIQUE INDEX "beta_joins_account" ON "beta_joins" USING btree ("group_id","account");--> statement-breakpoint
CREATE INDEX "beta_joins_address" ON "beta_joins" USING btree ("account");--> statement-breakpoint
CREATE INDEX "beta_joins_link" ON "beta_joins" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "beta_joins_end" ON "beta_joins" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "beta_links_live" ON "beta_links" USING btree ("group_id") WHERE "beta_links"."state" = 'LIVE';--> statement-breakpoint
CREATE INDEX "beta_links_of_group" ON "beta_links" USING btree ("group_id","link_id");--> statement-breakpoint
CREATE INDEX "beta_links_end" ON "beta_links" USING btree ("expires_at") WHERE "beta_links"."state" = 'LIVE';--> statement-breakpoint
CREATE INDEX "beta_pictures_of_sender" ON "beta_pictures" USING btree ("sender","at");--> statement-breakpoint
CREATE INDEX "beta_pictures_at" ON "beta_pictures" USING btree ("at");--> statement-breakpoint
CREATE INDEX "version_test_users_of_account" ON "version_test_users" USING btree ("account_id") WHERE "version_test_users"."account_id" IS NOT NULL;