CREATE TABLE "abt_experiments" (
	"experiment_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"design" jsonb NOT NULL,
	"seed" text NOT NULL,
	"phase" integer DEFAULT 1 NOT NULL,
	"test_units" jsonb NOT NULL,
	"layer_id" bigint,
	"started_at" bigint,
	"phase_started_at" bigint,
	"pauses" jsonb NOT NULL,
	"stopped_at" bigint,
	"outcome" text,
	"shipped_variant" text,
	"conclusion" text DEFAULT '' NOT NULL,
	"shipped_version" integer,
	"snapshot_id" bigint,
	"kept_through" bigint,
	"job_id" bigint,
	"analysed_at" bigint,
	"next_analysis_at" bigint,
	"problem" text,
	"created_at" bigint NOT NULL,
	"created_by" bigint,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "abt_holdouts" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"seed" text NOT NULL,
	"unit_attr" text NOT NULL,
	"percent" double precision NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "abt_kept" (
	"experiment_id" bigint NOT NULL,
	"unit" text NOT NULL,
	"team_id" bigint NOT NULL,
	"phase" integer NOT NULL,
	"variant" text NOT NULL,
	"since" bigint NOT NULL,
	CONSTRAINT "abt_kept_experiment_id_unit_pk" PRIMARY KEY("experiment_id","unit")
);
--> statement-breakpoint
CREATE TABLE "abt_layers" (
	"layer_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"seed" text NOT NULL,
	"unit_attr" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "abt_metrics" (
	"metric_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"definition" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "abt_phases" (
	"experiment_id" bigint NOT NULL,
	"phase" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"design" jsonb NOT NULL,
	"seed" text NOT NULL,
	"changes" text[] NOT NULL,
	"started_at" bigint NOT NULL,
	"started_by" bigint,
	CONSTRAINT "abt_phases_experiment_id_phase_pk" PRIMARY KEY("experiment_id","phase")
);
--> statement-breakpoint
CREATE TABLE "abt_snapshots" (
	"snapshot_id" bigint PRIMARY KEY NOT NULL,
	"experiment_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"phase" integer NOT NULL,
	"at" bigint NOT NULL,
	"complete_through" bigint NOT NULL,
	"units" bigint NOT NULL,
	"content" jsonb NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "abt_experiments_name" ON "abt_experiments" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "abt_experiments_of_project" ON "abt_experiments" USING btree ("project_id","experiment_id");--> statement-breakpoint
CREATE INDEX "abt_experiments_due" ON "abt_experiments" USING btree ("next_analysis_at");--> statement-breakpoint
CREATE UNIQUE INDEX "abt_layers_name" ON "abt_layers" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "abt_layers_of_project" ON "abt_layers" USING btree ("project_id","layer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "abt_metrics_name" ON "abt_metrics" USING btree ("project_id","name");--> statement-breakpoint
CREATE INDEX "abt_metrics_of_project" ON "abt_metrics" USING btree ("project_id","metric_id");--> statement-breakpoint
CREATE INDEX "abt_snapshots_of_experiment" ON "abt_snapshots" USING btree ("experiment_id","snapshot_id");