ALTER TABLE "beta_feedback" ADD COLUMN "logs" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "split_set" jsonb DEFAULT '[]'::jsonb NOT NULL;