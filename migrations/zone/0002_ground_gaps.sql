CREATE TABLE "store_pictures" (
	"object_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"public_object_id" text,
	"sha256" text,
	"size_bytes" bigint,
	"mime" text
);
--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "chains" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "review_submissions" ADD COLUMN "release" text DEFAULT 'EACH' NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "held_by" bigint;--> statement-breakpoint
ALTER TABLE "file_objects" ADD COLUMN "app_id" bigint;--> statement-breakpoint
ALTER TABLE "file_objects" ADD COLUMN "project_id" bigint;--> statement-breakpoint
ALTER TABLE "file_tasks" ADD COLUMN "created_by" bigint;--> statement-breakpoint
CREATE INDEX "store_pictures_of_app" ON "store_pictures" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "versions_held" ON "versions" USING btree ("held_by") WHERE "versions"."held_by" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "file_objects_listed" ON "file_objects" USING btree ("team_id","created_at","object_id") WHERE "file_objects"."state" in ('TEMP', 'NORMAL');--> statement-breakpoint
CREATE INDEX "file_objects_of_app" ON "file_objects" USING btree ("app_id") WHERE "file_objects"."state" in ('TEMP', 'NORMAL');--> statement-breakpoint
CREATE INDEX "file_objects_of_project" ON "file_objects" USING btree ("project_id") WHERE "file_objects"."state" in ('TEMP', 'NORMAL');--> statement-breakpoint
CREATE INDEX "file_objects_of_nobody" ON "file_objects" USING btree ("created_by") WHERE "file_objects"."state" in ('TEMP', 'NORMAL') AND "file_objects"."app_id" is null;