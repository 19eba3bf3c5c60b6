CREATE TABLE "app_checks" (
	"check_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"pkg_id" bigint NOT NULL,
	"subject" jsonb NOT NULL,
	"object_id" text NOT NULL,
	"kinds" text[] NOT NULL,
	"state" text NOT NULL,
	"items" jsonb NOT NULL,
	"job_id" bigint NOT NULL,
	"detection_id" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"started_at" bigint,
	"finished_at" bigint,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_detections" (
	"detection_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"checks" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lifecycle_alpha_ratings" (
	"app_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"scores" jsonb NOT NULL,
	"average" integer NOT NULL,
	"note" text NOT NULL,
	"at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "lifecycle_alpha_ratings_app_id_account_id_pk" PRIMARY KEY("app_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "lifecycle_detections" (
	"task_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"verdict" text,
	"hits" jsonb NOT NULL,
	"subjects" text[] NOT NULL,
	"job_id" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "lifecycle_picture_hashes" (
	"app_id" bigint NOT NULL,
	"object_id" text NOT NULL,
	"team_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"hash" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "lifecycle_picture_hashes_app_id_object_id_pk" PRIMARY KEY("app_id","object_id")
);
--> statement-breakpoint
CREATE TABLE "review_appeals" (
	"task_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"appeal_task_id" bigint NOT NULL,
	"asked_by" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_expedites" (
	"expedite_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"task_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"asked_by" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_owed_samples" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "review_tasks_by_priority";--> statement-breakpoint
DROP INDEX "review_tasks_in_state";--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "senior_because" text;--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "senior_note" text;--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "excluded" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "auto_reasons" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "is_sampled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "kind_main_tag" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "app_checks_running" ON "app_checks" USING btree ("app_id") WHERE "app_checks"."state" IN ('WAITING', 'RUNNING');--> statement-breakpoint
CREATE INDEX "app_checks_of_app" ON "app_checks" USING btree ("app_id","check_id");--> statement-breakpoint
CREATE INDEX "app_checks_of_team" ON "app_checks" USING btree ("team_id","check_id");--> statement-breakpoint
CREATE INDEX "app_checks_of_detection" ON "app_checks" USING btree ("detection_id");--> statement-breakpoint
CREATE INDEX "app_detections_of_team" ON "app_detections" USING btree ("team_id","detection_id");--> statement-breakpoint
CREATE INDEX "lifecycle_detections_of_team" ON "lifecycle_detections" USING btree ("team_id","task_id");--> statement-breakpoint
CREATE INDEX "lifecycle_detections_of_app" ON "lifecycle_detections" USING btree ("app_id","kind","task_id");--> statement-breakpoint
CREATE INDEX "lifecycle_detections_by_age" ON "lifecycle_detections" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "lifecycle_picture_hashes_by_hash" ON "lifecycle_picture_hashes" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "review_appeals_by_task" ON "review_appeals" USING btree ("appeal_task_id");--> statement-breakpoint
CREATE INDEX "review_expedites_of_app" ON "review_expedites" USING btree ("app_id","at");--> statement-breakpoint
CREATE INDEX "review_tasks_decided_all" ON "review_tasks" USING btree ("decided_at") WHERE "review_tasks"."state" = 'DECIDED';--> statement-breakpoint
CREATE INDEX "review_tasks_of_team" ON "review_tasks" USING btree ("team_id","decided_at") WHERE "review_tasks"."state" = 'DECIDED';--> statement-breakpoint
CREATE INDEX "review_tasks_queued" ON "review_tasks" USING btree ("queued_at");--> statement-breakpoint
CREATE INDEX "review_tasks_by_priority" ON "review_tasks" USING btree ("state","queue","priority" DESC NULLS FIRST,"sla_due_at","task_id","team_id");--> statement-breakpoint
CREATE INDEX "review_tasks_in_state" ON "review_tasks" USING btree ("state","priority" DESC NULLS FIRST,"sla_due_at","task_id","team_id");