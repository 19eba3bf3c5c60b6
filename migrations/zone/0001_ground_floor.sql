CREATE TABLE "non_ag_apps" (
	"id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_name" text NOT NULL,
	"icon" text NOT NULL,
	"store_url" text NOT NULL,
	"platform" text NOT NULL,
	"package_name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_signing_keys" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"sealed_key" text NOT NULL,
	"certificate" text NOT NULL,
	"cert_sha256" text NOT NULL,
	"upload_cert_sha256" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "package_reports" (
	"team_id" bigint NOT NULL,
	"sha256" text NOT NULL,
	"kind" text NOT NULL,
	"reader" integer NOT NULL,
	"report" jsonb NOT NULL,
	"used_at" bigint NOT NULL,
	CONSTRAINT "package_reports_team_id_sha256_kind_pk" PRIMARY KEY("team_id","sha256","kind")
);
--> statement-breakpoint
CREATE TABLE "package_privacy_imports" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"pkg_id" bigint NOT NULL,
	"label" jsonb NOT NULL,
	"imported_by" bigint NOT NULL,
	"imported_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_sensitive_apps" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"reason" text NOT NULL,
	"set_by" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_active" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"active" bigint NOT NULL,
	"told" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_field" (
	"version_id" bigint NOT NULL,
	"day" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"change" bigint NOT NULL,
	CONSTRAINT "store_field_version_id_day_pk" PRIMARY KEY("version_id","day")
);
--> statement-breakpoint
CREATE TABLE "store_installs" (
	"version_id" bigint NOT NULL,
	"day" text NOT NULL,
	"outcome" text NOT NULL,
	"country" text NOT NULL,
	"device_class" text NOT NULL,
	"reason" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "store_installs_version_id_day_outcome_country_device_class_reason_pk" PRIMARY KEY("version_id","day","outcome","country","device_class","reason")
);
--> statement-breakpoint
CREATE TABLE "store_reports" (
	"report" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_ai_declarations" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"involved" boolean NOT NULL,
	"types" integer[] NOT NULL,
	"provider_names" text NOT NULL,
	"algorithm_filing_no" text NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_bulk_items" (
	"bulk_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"app_name" text NOT NULL,
	"version_name" text,
	"version_code" bigint,
	"result" text NOT NULL,
	"state" text,
	"code" integer,
	"message" text,
	"at" bigint,
	CONSTRAINT "version_bulk_items_bulk_id_position_pk" PRIMARY KEY("bulk_id","position")
);
--> statement-breakpoint
CREATE TABLE "version_bulks" (
	"bulk_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"action" text NOT NULL,
	"reason" text NOT NULL,
	"total" integer NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "version_contacts" (
	"app_id" bigint NOT NULL,
	"address" text NOT NULL,
	"team_id" bigint NOT NULL,
	"code_sealed" text,
	"tries_left" integer NOT NULL,
	"sent_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"validated_at" bigint,
	CONSTRAINT "version_contacts_app_id_address_pk" PRIMARY KEY("app_id","address")
);
--> statement-breakpoint
CREATE TABLE "file_checks" (
	"object_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"task_id" bigint NOT NULL,
	"verdict" text NOT NULL,
	"items" jsonb NOT NULL,
	"checked_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_tasks" (
	"task_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"object_ids" text[] NOT NULL,
	"state" text NOT NULL,
	"code" integer,
	"message" text,
	"result" jsonb,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "config_usage" (
	"team_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"config_key" text NOT NULL,
	"value" text NOT NULL,
	"uses" integer DEFAULT 1 NOT NULL,
	"last_used_at" bigint NOT NULL,
	CONSTRAINT "config_usage_team_id_account_id_config_key_pk" PRIMARY KEY("team_id","account_id","config_key")
);
--> statement-breakpoint
CREATE TABLE "support_applications" (
	"apply_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"service_id" text NOT NULL,
	"contact" text NOT NULL,
	"description" text NOT NULL,
	"state" text NOT NULL,
	"answer" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tag_sets" (
	"tag_set_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"tags" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_group_teams" (
	"group_code" text NOT NULL,
	"team_id" bigint NOT NULL,
	"joined_at" bigint NOT NULL,
	CONSTRAINT "user_group_teams_team_id_group_code_pk" PRIMARY KEY("team_id","group_code")
);
--> statement-breakpoint
CREATE TABLE "user_groups" (
	"group_code" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice_digests" (
	"digest_id" bigint PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"period" text NOT NULL,
	"state" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"notice_id" bigint PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"cause" text NOT NULL,
	"of_team_id" bigint,
	"category" text NOT NULL,
	"kind" text NOT NULL,
	"title" jsonb NOT NULL,
	"text" jsonb NOT NULL,
	"href" text,
	"entity_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"read_at" bigint,
	"is_in_inbox" boolean NOT NULL,
	"mail" text NOT NULL,
	"mail_due_at" bigint,
	"digest_id" bigint
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"delivery_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"endpoint_id" bigint NOT NULL,
	"event_id" bigint,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" bigint,
	"last_status" integer,
	"last_tried_at" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"endpoint_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"event_types" text[] NOT NULL,
	"state" text NOT NULL,
	"secret" text NOT NULL,
	"old_secret" text,
	"old_secret_until" bigint,
	"failing_since" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_tries" (
	"try_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"endpoint_id" bigint NOT NULL,
	"delivery_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	"duration_ms" integer NOT NULL,
	"is_accepted" boolean NOT NULL,
	"status" integer,
	"problem" text,
	"request_headers" jsonb NOT NULL,
	"answer_headers" jsonb NOT NULL,
	"answer_body" text NOT NULL,
	"is_cut" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_apps" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "review_tasks_by_priority";--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "develop_status_said" text;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "location_locked_at" bigint;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "first_shelf_at" bigint;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "package_type" text DEFAULT 'ANDROID' NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "device_types" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "languages" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "modules" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "components" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "sdks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "native_libraries" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "privacy" jsonb;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "installable" jsonb;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "upload_signers" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "packages" ADD COLUMN "free_since" bigint;--> statement-breakpoint
ALTER TABLE "review_items" ADD COLUMN "app_id" bigint;--> statement-breakpoint
ALTER TABLE "review_messages" ADD COLUMN "item_id" bigint;--> statement-breakpoint
ALTER TABLE "review_messages" ADD COLUMN "results" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "review_submissions" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "needs_second" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "review_tasks" ADD COLUMN "opinions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "review_due_at" bigint;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "review_paused_at" bigint;--> statement-breakpoint
ALTER TABLE "versions" ADD COLUMN "ai_content" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "non_ag_apps_name" ON "non_ag_apps" USING btree ("team_id","platform","package_name");--> statement-breakpoint
CREATE INDEX "package_reports_by_use" ON "package_reports" USING btree ("used_at");--> statement-breakpoint
CREATE INDEX "store_active_untold" ON "store_active" USING btree ("app_id") WHERE "store_active"."active" <> "store_active"."told";--> statement-breakpoint
CREATE INDEX "store_field_of_app" ON "store_field" USING btree ("team_id","app_id","day");--> statement-breakpoint
CREATE INDEX "store_installs_of_app" ON "store_installs" USING btree ("team_id","app_id","day");--> statement-breakpoint
CREATE INDEX "store_reports_at" ON "store_reports" USING btree ("at");--> statement-breakpoint
CREATE INDEX "version_bulks_of_team" ON "version_bulks" USING btree ("team_id","bulk_id");--> statement-breakpoint
CREATE INDEX "file_tasks_running" ON "file_tasks" USING btree ("team_id","kind") WHERE "file_tasks"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX "file_tasks_made" ON "file_tasks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "support_applications_of_team" ON "support_applications" USING btree ("team_id","apply_id");--> statement-breakpoint
CREATE UNIQUE INDEX "support_applications_waiting" ON "support_applications" USING btree ("team_id","service_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "tag_sets_name" ON "tag_sets" USING btree ("team_id","name");--> statement-breakpoint
CREATE INDEX "user_group_teams_of" ON "user_group_teams" USING btree ("group_code");--> statement-breakpoint
CREATE UNIQUE INDEX "notice_digests_period" ON "notice_digests" USING btree ("account_id","period");--> statement-breakpoint
CREATE INDEX "notice_digests_age" ON "notice_digests" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "notices_cause" ON "notices" USING btree ("account_id","cause");--> statement-breakpoint
CREATE INDEX "notices_of_account" ON "notices" USING btree ("account_id","notice_id") WHERE "notices"."is_in_inbox";--> statement-breakpoint
CREATE INDEX "notices_unread" ON "notices" USING btree ("account_id") WHERE "notices"."is_in_inbox" and "notices"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notices_digest" ON "notices" USING btree ("mail_due_at") WHERE "notices"."mail" = 'digest';--> statement-breakpoint
CREATE INDEX "notices_in_digest" ON "notices" USING btree ("digest_id") WHERE "notices"."digest_id" is not null;--> statement-breakpoint
CREATE INDEX "notices_age" ON "notices" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("endpoint_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","delivery_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_try_at") WHERE "webhook_deliveries"."state" = 'WAITING';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_busy" ON "webhook_deliveries" USING btree ("endpoint_id") WHERE "webhook_deliveries"."state" in ('QUEUED', 'SENDING');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_team" ON "webhook_endpoints" USING btree ("team_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_tries_of_delivery" ON "webhook_tries" USING btree ("delivery_id","try_id");--> statement-breakpoint
CREATE INDEX "webhook_tries_of_endpoint" ON "webhook_tries" USING btree ("endpoint_id","at");--> statement-breakpoint
CREATE INDEX "webhook_tries_age" ON "webhook_tries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "apps_by_updated" ON "apps" USING btree ("team_id","updated_at","app_id") WHERE state <> 'DELETED';--> statement-breakpoint
CREATE INDEX "apps_by_created" ON "apps" USING btree ("team_id","created_at","app_id") WHERE state <> 'DELETED';--> statement-breakpoint
CREATE INDEX "apps_by_name" ON "apps" USING btree ("team_id",lower("name"),"app_id") WHERE state <> 'DELETED';--> statement-breakpoint
CREATE INDEX "apps_of_store" ON "apps" USING btree ("updated_at","app_id") WHERE state <> 'DELETED';--> statement-breakpoint
CREATE INDEX "packages_of_team" ON "packages" USING btree ("team_id","pkg_id");--> statement-breakpoint
CREATE INDEX "packages_to_archive" ON "packages" USING btree ("updated_at") WHERE "packages"."state" = 'READY' AND "packages"."hold_count" = 0;--> statement-breakpoint
CREATE INDEX "review_items_of_version" ON "review_items" USING btree ("ref_id","submission_id");--> statement-breakpoint
CREATE INDEX "review_items_of_app" ON "review_items" USING btree ("app_id","submission_id");--> statement-breakpoint
CREATE INDEX "review_submissions_of_team" ON "review_submissions" USING btree ("team_id","submission_id");--> statement-breakpoint
CREATE INDEX "review_tasks_all" ON "review_tasks" USING btree ("priority" DESC NULLS FIRST,"sla_due_at","task_id");--> statement-breakpoint
CREATE INDEX "review_tasks_in_state" ON "review_tasks" USING btree ("state","priority" DESC NULLS FIRST,"sla_due_at","task_id");--> statement-breakpoint
CREATE INDEX "review_tasks_due" ON "review_tasks" USING btree ("state","sla_due_at","task_id");--> statement-breakpoint
CREATE INDEX "review_tasks_decided" ON "review_tasks" USING btree ("queue","decided_at") WHERE "review_tasks"."state" = 'DECIDED';--> statement-breakpoint
CREATE INDEX "store_downloads_at" ON "store_downloads" USING btree ("at");--> statement-breakpoint
CREATE INDEX "review_tasks_by_priority" ON "review_tasks" USING btree ("state","queue","priority" DESC NULLS FIRST,"sla_due_at","task_id");