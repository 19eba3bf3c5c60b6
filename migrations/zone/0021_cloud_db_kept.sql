CREATE TABLE "cdb_kept" (
	"kept_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"object_types" jsonb NOT NULL,
	"places" jsonb NOT NULL,
	"deleted_by" text NOT NULL,
	"deleted_at" bigint NOT NULL,
	"kept_until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cdb_user_keys" (
	"project_id" bigint NOT NULL,
	"uid" text NOT NULL,
	"wrapped_key" text NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "cdb_user_keys_project_id_uid_pk" PRIMARY KEY("project_id","uid")
);
--> statement-breakpoint
CREATE INDEX "cdb_kept_of_project" ON "cdb_kept" USING btree ("project_id","kept_id");--> statement-breakpoint
CREATE INDEX "cdb_kept_over" ON "cdb_kept" USING btree ("kept_until");