ALTER TABLE "listings" ADD COLUMN "film" jsonb;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "film_cover" jsonb;