ALTER TABLE "store_records" ADD COLUMN "split_set" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "store_records" ADD COLUMN "series" jsonb;