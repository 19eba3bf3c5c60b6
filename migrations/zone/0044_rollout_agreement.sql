ALTER TABLE "rcs_rollout_changes" ADD COLUMN "is_forced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "start_at" bigint;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "asked" text;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "asked_in" bigint;--> statement-breakpoint
ALTER TABLE "rcs_rollouts" ADD COLUMN "written_by" bigint;