CREATE TABLE "targeting_batches" (
	"batch_id" bigint PRIMARY KEY NOT NULL,
	"audience_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"mode" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "targeting_members" (
	"audience_id" bigint NOT NULL,
	"unit" text NOT NULL,
	"team_id" bigint NOT NULL,
	"since" bigint NOT NULL,
	CONSTRAINT "targeting_members_audience_id_unit_pk" PRIMARY KEY("audience_id","unit")
);
--> statement-breakpoint
CREATE TABLE "targeting_audiences" (
	"audience_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"type" text NOT NULL,
	"rule" jsonb,
	"refresh_every" text NOT NULL,
	"size" bigint DEFAULT 0 NOT NULL,
	"refreshed_at" bigint,
	"next_refresh_at" bigint,
	"job_id" bigint,
	"problem" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "targeting_batch_units" (
	"batch_id" bigint NOT NULL,
	"unit" text NOT NULL,
	CONSTRAINT "targeting_batch_units_batch_id_unit_pk" PRIMARY KEY("batch_id","unit")
);
--> statement-breakpoint
CREATE TABLE "targeting_rule_set_versions" (
	"rule_set_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"rules" jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"rollback_source" integer,
	"published_at" bigint NOT NULL,
	"published_by" text NOT NULL,
	CONSTRAINT "targeting_rule_set_versions_rule_set_id_version_pk" PRIMARY KEY("rule_set_id","version")
);
--> statement-breakpoint
CREATE TABLE "targeting_rule_sets" (
	"rule_set_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"draft" jsonb NOT NULL,
	"is_changed" boolean DEFAULT true NOT NULL,
	"published_version" integer DEFAULT 0 NOT NULL,
	"published" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "targeting_batches_made" ON "targeting_batches" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "targeting_audiences_name" ON "targeting_audiences" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "targeting_audiences_of_project" ON "targeting_audiences" USING btree ("project_id","audience_id");--> statement-breakpoint
CREATE INDEX "targeting_audiences_due" ON "targeting_audiences" USING btree ("next_refresh_at");--> statement-breakpoint
CREATE UNIQUE INDEX "targeting_rule_sets_code" ON "targeting_rule_sets" USING btree ("team_id","code");--> statement-breakpoint
CREATE INDEX "targeting_rule_sets_of_project" ON "targeting_rule_sets" USING btree ("project_id","rule_set_id");