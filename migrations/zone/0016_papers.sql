CREATE TABLE "qualification_tasks" (
	"task_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"tag_id" integer NOT NULL,
	"is_main_tag" boolean NOT NULL,
	"state" text NOT NULL,
	"infos" jsonb NOT NULL,
	"last_audit_result" text,
	"messages" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"is_asked" boolean DEFAULT false NOT NULL,
	"submitted_at" bigint,
	"decided_at" bigint,
	"decided_by" bigint,
	"expire_at" bigint,
	"reminded" integer,
	"ended_at" bigint,
	"lapsed_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_recordals" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"state" text NOT NULL,
	"dcl_type" integer NOT NULL,
	"number" text,
	"id_type" integer,
	"id_number_sealed" text,
	"entity" integer,
	"entity_name" text DEFAULT '' NOT NULL,
	"features" jsonb,
	"evidence" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"differences" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"source" text,
	"note" text,
	"checked_at" bigint,
	"checked_by" bigint,
	"filed_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_series" (
	"series_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"mode" text NOT NULL,
	"single_in" text[] DEFAULT '{}' NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_series_members" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"series_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"role" text NOT NULL,
	"package_type" text NOT NULL,
	"device_types" integer[] NOT NULL,
	"added_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "qualification_tasks_open" ON "qualification_tasks" USING btree ("app_id","tag_id") WHERE "qualification_tasks"."state" IN ('TO_SUBMIT', 'WAITING', 'FAILED');--> statement-breakpoint
CREATE INDEX "qualification_tasks_of_team" ON "qualification_tasks" USING btree ("team_id","task_id");--> statement-breakpoint
CREATE INDEX "qualification_tasks_of_app" ON "qualification_tasks" USING btree ("app_id","task_id");--> statement-breakpoint
CREATE INDEX "qualification_tasks_by_state" ON "qualification_tasks" USING btree ("state","task_id");--> statement-breakpoint
CREATE INDEX "qualification_tasks_by_end" ON "qualification_tasks" USING btree ("expire_at") WHERE "qualification_tasks"."state" = 'PASSED';--> statement-breakpoint
CREATE INDEX "qualification_tasks_in_grace" ON "qualification_tasks" USING btree ("ended_at") WHERE "qualification_tasks"."ended_at" IS NOT NULL AND "qualification_tasks"."lapsed_at" IS NULL;--> statement-breakpoint
CREATE INDEX "app_recordals_by_state" ON "app_recordals" USING btree ("state","updated_at","app_id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_series_name" ON "app_series" USING btree ("team_id",lower("name"));--> statement-breakpoint
CREATE INDEX "app_series_of_team" ON "app_series" USING btree ("team_id","series_id");--> statement-breakpoint
CREATE INDEX "app_series_members_of_series" ON "app_series_members" USING btree ("series_id","app_id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_series_members_main" ON "app_series_members" USING btree ("series_id") WHERE "app_series_members"."role" = 'MAIN';