CREATE TABLE "rcs_schedules" (
	"schedule_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"team_id" bigint NOT NULL,
	"content" jsonb NOT NULL,
	"base_version" integer NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"due_at" bigint NOT NULL,
	"state" text NOT NULL,
	"version" integer,
	"created_at" bigint NOT NULL,
	"created_by" bigint,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rcs_settings" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"min_fetch_interval_sec" integer NOT NULL,
	"attributes" jsonb NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rcs_templates" (
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"team_id" bigint NOT NULL,
	"draft" jsonb NOT NULL,
	"draft_digest" text NOT NULL,
	"base_version" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"digest" text NOT NULL,
	"published_at" bigint,
	"updated_at" bigint NOT NULL,
	"updated_by" bigint,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "rcs_templates_project_id_kind_pk" PRIMARY KEY("project_id","kind")
);
--> statement-breakpoint
CREATE TABLE "rcs_versions" (
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"content" jsonb NOT NULL,
	"digest" text NOT NULL,
	"origin" text NOT NULL,
	"rollback_source" integer,
	"description" text DEFAULT '' NOT NULL,
	"parameter_count" integer NOT NULL,
	"condition_count" integer NOT NULL,
	"added" integer NOT NULL,
	"changed" integer NOT NULL,
	"removed" integer NOT NULL,
	"published_at" bigint NOT NULL,
	"published_by" bigint,
	CONSTRAINT "rcs_versions_project_id_kind_version_pk" PRIMARY KEY("project_id","kind","version")
);
--> statement-breakpoint
CREATE INDEX "rcs_schedules_of_project" ON "rcs_schedules" USING btree ("project_id","kind","schedule_id");--> statement-breakpoint
CREATE INDEX "rcs_schedules_due" ON "rcs_schedules" USING btree ("state","due_at");--> statement-breakpoint
CREATE INDEX "rcs_versions_due" ON "rcs_versions" USING btree ("published_at");