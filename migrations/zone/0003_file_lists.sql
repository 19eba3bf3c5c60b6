DROP INDEX "file_objects_of_app";--> statement-breakpoint
DROP INDEX "file_objects_of_project";--> statement-breakpoint
DROP INDEX "file_objects_of_nobody";--> statement-breakpoint
CREATE INDEX "file_objects_of_app" ON "file_objects" USING btree ("app_id","created_at","object_id") WHERE "file_objects"."state" in ('TEMP', 'NORMAL');--> statement-breakpoint
CREATE INDEX "file_objects_of_project" ON "file_objects" USING btree ("project_id","created_at","object_id") WHERE "file_objects"."state" in ('TEMP', 'NORMAL');--> statement-breakpoint
CREATE INDEX "file_objects_of_nobody" ON "file_objects" USING btree ("created_by","created_at","object_id") WHERE "file_objects"."state" in ('TEMP', 'NORMAL') AND "file_objects"."app_id" is null;