ALTER TABLE "rcs_rollout_changes" ADD COLUMN "cause" text;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "guardrails" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "signals" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "srm_action" text DEFAULT 'warn' NOT NULL;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "held_by" text;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "step_started_at" bigint;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "look_at" bigint;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "look_job_id" bigint;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "look" jsonb;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "look_problem" text;--> statement-breakpoint
CREATE INDEX "rcs_rollouts_looks" ON "rcs_rollouts" USING btree ("look_at");