ALTER TABLE "store_records" ADD COLUMN "phase" jsonb;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "is_demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_demo" ON "projects" USING btree ("team_id","zone") WHERE "projects"."is_demo";