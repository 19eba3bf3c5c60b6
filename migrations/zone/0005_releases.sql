CREATE TABLE "phased_changes" (
	"change_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"action" text NOT NULL,
	"state" text NOT NULL,
	"percent_bp" integer NOT NULL,
	"day" integer,
	"actor_id" bigint,
	"reason" text DEFAULT '' NOT NULL,
	"reached_devices" bigint,
	"installs" bigint,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "phased_releases" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"sampling" text NOT NULL,
	"new_installs" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"percent_bp" integer NOT NULL,
	"day" integer,
	"countries" text[] NOT NULL,
	"salt" text NOT NULL,
	"state" text NOT NULL,
	"start_at" bigint,
	"next_day_at" bigint,
	"paused_at" bigint,
	"total_paused_ms" bigint DEFAULT 0 NOT NULL,
	"ended_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_test_groups" (
	"group_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_test_installs" (
	"version_id" bigint NOT NULL,
	"device" text NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "version_test_installs_version_id_device_pk" PRIMARY KEY("version_id","device")
);
--> statement-breakpoint
CREATE TABLE "version_test_users" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"group_id" bigint NOT NULL,
	"account" text NOT NULL,
	"nickname" text NOT NULL,
	"state" text NOT NULL,
	"invited_at" bigint,
	"told_of" bigint,
	"last_install_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_tests" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"pkg_id" bigint NOT NULL,
	"version_code" bigint,
	"version_name" text,
	"test_desc" text NOT NULL,
	"test_type" integer,
	"state" text NOT NULL,
	"group_ids" bigint[] NOT NULL,
	"start_at" bigint,
	"end_at" bigint,
	"install_limit" integer,
	"install_count" integer DEFAULT 0 NOT NULL,
	"quota_reached_at" bigint,
	"countries" text[] NOT NULL,
	"is_notified" boolean DEFAULT false NOT NULL,
	"is_self_detected" boolean DEFAULT false NOT NULL,
	"rejection" jsonb,
	"submitted_at" bigint,
	"approved_at" bigint,
	"started_at" bigint,
	"ended_at" bigint,
	"promoted_to" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "demo" jsonb;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "release_phase" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "phased_changes_of_version" ON "phased_changes" USING btree ("version_id","change_id");--> statement-breakpoint
CREATE UNIQUE INDEX "phased_releases_live" ON "phased_releases" USING btree ("app_id") WHERE "phased_releases"."state" IN ('RELEASE', 'SUSPEND');--> statement-breakpoint
CREATE INDEX "phased_releases_due" ON "phased_releases" USING btree ("next_day_at") WHERE "phased_releases"."state" = 'RELEASE';--> statement-breakpoint
CREATE INDEX "phased_releases_paused" ON "phased_releases" USING btree ("paused_at") WHERE "phased_releases"."state" = 'SUSPEND';--> statement-breakpoint
CREATE UNIQUE INDEX "version_test_groups_name" ON "version_test_groups" USING btree ("app_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "version_test_users_account" ON "version_test_users" USING btree ("group_id","account");--> statement-breakpoint
CREATE INDEX "version_test_users_of_group" ON "version_test_users" USING btree ("group_id","user_id");--> statement-breakpoint
CREATE INDEX "version_test_users_of_app" ON "version_test_users" USING btree ("app_id","account");--> statement-breakpoint
CREATE INDEX "version_tests_of_app" ON "version_tests" USING btree ("app_id","version_id");--> statement-breakpoint
CREATE INDEX "version_tests_promoted" ON "version_tests" USING btree ("promoted_to") WHERE "version_tests"."promoted_to" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "version_tests_start" ON "version_tests" USING btree ("start_at") WHERE "version_tests"."state" = 'WAITING';--> statement-breakpoint
CREATE INDEX "version_tests_end" ON "version_tests" USING btree ("end_at") WHERE "version_tests"."state" IN ('WAITING', 'TESTING');--> statement-breakpoint
CREATE UNIQUE INDEX "apps_demo" ON "apps" USING btree ("team_id") WHERE "apps"."demo" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "versions_phased" ON "versions" USING btree ("app_id") WHERE "versions"."state" = 'PHASED';