CREATE TABLE "rcs_rollout_changes" (
	"change_id" bigint PRIMARY KEY NOT NULL,
	"rollout_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"action" text NOT NULL,
	"state" text NOT NULL,
	"step" integer NOT NULL,
	"percent" double precision NOT NULL,
	"version" integer,
	"reason" text DEFAULT '' NOT NULL,
	"actor_id" bigint,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rcs_rollouts" (
	"rollout_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"parameter" text NOT NULL,
	"condition" text,
	"value" text NOT NULL,
	"unit_attr" text NOT NULL,
	"seed" text NOT NULL,
	"steps" jsonb NOT NULL,
	"state" text NOT NULL,
	"step" integer DEFAULT 0 NOT NULL,
	"due_at" bigint,
	"paused_at" bigint,
	"started_at" bigint,
	"ended_at" bigint,
	"created_at" bigint NOT NULL,
	"created_by" bigint,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "rcs_templates" ADD COLUMN "rollouts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "rcs_rollout_changes_of" ON "rcs_rollout_changes" USING btree ("rollout_id","change_id");--> statement-breakpoint
CREATE INDEX "rcs_rollouts_of_project" ON "rcs_rollouts" USING btree ("project_id","kind","rollout_id");--> statement-breakpoint
CREATE INDEX "rcs_rollouts_due" ON "rcs_rollouts" USING btree ("state","due_at");