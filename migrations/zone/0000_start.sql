CREATE TABLE "audit" (
	"audit_id" bigint PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"team_id" bigint,
	"actor" text NOT NULL,
	"ip" text,
	"action" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "event_receipts" (
	"listener" text NOT NULL,
	"event_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "event_receipts_listener_event_id_pk" PRIMARY KEY("listener","event_id")
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"owner" text NOT NULL,
	"call" text NOT NULL,
	"key" text NOT NULL,
	"body_sha256" text NOT NULL,
	"answer" jsonb,
	"is_done" boolean DEFAULT false NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "idempotency_owner_call_key_pk" PRIMARY KEY("owner","call","key")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"job_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"input" jsonb NOT NULL,
	"state" text NOT NULL,
	"step" text,
	"percent" integer DEFAULT 0 NOT NULL,
	"error" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"owner" text,
	"lease_until" bigint,
	"deadline_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"started_at" bigint,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"event_id" bigint PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"team_id" bigint,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"actor" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" bigint DEFAULT 0 NOT NULL,
	"relayed_at" bigint,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"team_id" bigint NOT NULL,
	"meter" text NOT NULL,
	"day" text NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "usage_team_id_meter_day_pk" PRIMARY KEY("team_id","meter","day")
);
--> statement-breakpoint
CREATE TABLE "apps" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"package_type" text NOT NULL,
	"package_name" text,
	"package_name_settled" boolean DEFAULT false NOT NULL,
	"package_name_chosen" boolean DEFAULT false NOT NULL,
	"default_lang" text NOT NULL,
	"name" text NOT NULL,
	"icon_object_id" text,
	"is_game" boolean NOT NULL,
	"game_net_type" integer,
	"kind_main_tag" integer,
	"kind_sub_tags" integer[] NOT NULL,
	"device_types" integer[] NOT NULL,
	"developer_name_cn" text DEFAULT '' NOT NULL,
	"developer_name_en" text DEFAULT '' NOT NULL,
	"developer_website" text DEFAULT '' NOT NULL,
	"contact" jsonb NOT NULL,
	"family_share" boolean DEFAULT false NOT NULL,
	"encrypted" boolean DEFAULT false NOT NULL,
	"state" text NOT NULL,
	"frozen_reason" text,
	"deleted_at" bigint,
	"open_version_id" bigint,
	"open_version_state" text,
	"shelf" jsonb,
	"last_shelf" jsonb,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "packages" (
	"pkg_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"usage" text NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"object_id" text NOT NULL,
	"file_name" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text NOT NULL,
	"package_name" text,
	"version_code" bigint,
	"version_name" text,
	"label" text,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"icon_object_id" text,
	"min_sdk" integer,
	"target_sdk" integer,
	"compile_sdk" integer,
	"abis" text[] DEFAULT '{}' NOT NULL,
	"permissions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"features" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"signers" text[] DEFAULT '{}' NOT NULL,
	"lineage" text[] DEFAULT '{}' NOT NULL,
	"certificates" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"signature_schemes" text[] DEFAULT '{}' NOT NULL,
	"debuggable" boolean DEFAULT false NOT NULL,
	"dex_count" integer DEFAULT 0 NOT NULL,
	"folders" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"state" text NOT NULL,
	"task_id" bigint NOT NULL,
	"hold_count" integer DEFAULT 0 NOT NULL,
	"uploaded_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_items" (
	"item_id" bigint PRIMARY KEY NOT NULL,
	"submission_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"ref_id" bigint NOT NULL,
	"state" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_messages" (
	"message_id" bigint PRIMARY KEY NOT NULL,
	"submission_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"sender" text NOT NULL,
	"kind" text NOT NULL,
	"author_id" bigint NOT NULL,
	"text" text NOT NULL,
	"attachments" text[] NOT NULL,
	"issues" jsonb NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_submissions" (
	"submission_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"lane" text NOT NULL,
	"state" text NOT NULL,
	"waiting_for" text,
	"urge_count" integer DEFAULT 0 NOT NULL,
	"message_count" integer DEFAULT 0 NOT NULL,
	"submitted_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_tasks" (
	"task_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"submission_id" bigint NOT NULL,
	"item_id" bigint NOT NULL,
	"item_kind" text NOT NULL,
	"app_id" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"app_name" text NOT NULL,
	"package_name" text,
	"version_name" text,
	"version_code" text,
	"queue" text NOT NULL,
	"priority" integer NOT NULL,
	"state" text NOT NULL,
	"sla_due_at" bigint NOT NULL,
	"paused_at" bigint,
	"claimed_by" bigint,
	"claimed_at" bigint,
	"claim_expires_at" bigint,
	"verdict" text,
	"note" text,
	"issues" jsonb NOT NULL,
	"decided_by" bigint,
	"decided_at" bigint,
	"queued_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_counts" (
	"version_id" bigint NOT NULL,
	"day" text NOT NULL,
	"type" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "store_counts_version_id_day_type_pk" PRIMARY KEY("version_id","day","type")
);
--> statement-breakpoint
CREATE TABLE "store_downloads" (
	"version_id" bigint NOT NULL,
	"device" text NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "store_downloads_version_id_device_pk" PRIMARY KEY("version_id","device")
);
--> statement-breakpoint
CREATE TABLE "app_installs" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"active" bigint NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"version_id" bigint NOT NULL,
	"lang" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_name" text DEFAULT '' NOT NULL,
	"brief_info" text DEFAULT '' NOT NULL,
	"app_desc" text DEFAULT '' NOT NULL,
	"new_features" text DEFAULT '' NOT NULL,
	"icon" jsonb,
	"screenshots" jsonb NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "listings_version_id_lang_pk" PRIMARY KEY("version_id","lang")
);
--> statement-breakpoint
CREATE TABLE "app_renames" (
	"rename_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"from_name" text NOT NULL,
	"to_name" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_codes" (
	"pkg_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"version_code" bigint NOT NULL,
	"version_name" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "versions" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"is_first" boolean DEFAULT true NOT NULL,
	"pkg_id" bigint,
	"version_code" bigint,
	"version_name" text,
	"release_mode" text DEFAULT 'AUTO' NOT NULL,
	"on_shelf_time" bigint,
	"countries" text[] NOT NULL,
	"privacy_policy_url" text DEFAULT '' NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"login_required" boolean DEFAULT false NOT NULL,
	"test_account" text DEFAULT '' NOT NULL,
	"test_password_sealed" text,
	"in_app_update_priority" integer DEFAULT 0 NOT NULL,
	"state" text NOT NULL,
	"submit_queued_by" bigint,
	"findings" jsonb NOT NULL,
	"rejection" jsonb,
	"last_shelf_off" jsonb,
	"store_notice" jsonb,
	"submitted_at" bigint,
	"approved_at" bigint,
	"on_shelf_at" bigint,
	"off_shelf_at" bigint,
	"superseded_by" bigint,
	"urge_count" integer DEFAULT 0 NOT NULL,
	"last_urged_at" bigint,
	"created_by" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "version_withdrawals" (
	"app_id" bigint NOT NULL,
	"day" text NOT NULL,
	"team_id" bigint NOT NULL,
	"times" integer NOT NULL,
	CONSTRAINT "version_withdrawals_app_id_day_pk" PRIMARY KEY("app_id","day")
);
--> statement-breakpoint
CREATE TABLE "file_garbage" (
	"sha256" text PRIMARY KEY NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_objects" (
	"object_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"biz_tag" text NOT NULL,
	"file_name" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text,
	"mime" text,
	"width" integer,
	"height" integer,
	"state" text NOT NULL,
	"ref_count" integer DEFAULT 0 NOT NULL,
	"created_by" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"expire_at" bigint,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "file_parts" (
	"upload_id" bigint NOT NULL,
	"part_number" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"slot" bigint NOT NULL,
	"size_bytes" bigint NOT NULL,
	"md5" text NOT NULL,
	"received_at" bigint NOT NULL,
	CONSTRAINT "file_parts_upload_id_part_number_pk" PRIMARY KEY("upload_id","part_number")
);
--> statement-breakpoint
CREATE TABLE "file_uploads" (
	"upload_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"object_id" text NOT NULL,
	"part_size" bigint NOT NULL,
	"part_count" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_of_team" ON "audit" USING btree ("team_id","audit_id");--> statement-breakpoint
CREATE INDEX "audit_of_entity" ON "audit" USING btree ("entity_id");--> statement-breakpoint
CREATE INDEX "idempotency_expires_at_index" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("lease_until") WHERE "jobs"."state" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("next_attempt_at","event_id") WHERE "outbox"."relayed_at" is null;--> statement-breakpoint
CREATE INDEX "apps_of_team" ON "apps" USING btree ("team_id","app_id");--> statement-breakpoint
CREATE INDEX "apps_of_project" ON "apps" USING btree ("project_id","app_id");--> statement-breakpoint
CREATE INDEX "apps_to_purge" ON "apps" USING btree ("deleted_at") WHERE "apps"."state" = 'DELETED';--> statement-breakpoint
CREATE INDEX "packages_of_app" ON "packages" USING btree ("app_id","pkg_id");--> statement-breakpoint
CREATE UNIQUE INDEX "packages_version_code" ON "packages" USING btree ("app_id","version_code") WHERE "packages"."state" = 'READY';--> statement-breakpoint
CREATE INDEX "review_items_of_submission" ON "review_items" USING btree ("submission_id");--> statement-breakpoint
CREATE INDEX "review_messages_of_submission" ON "review_messages" USING btree ("submission_id","message_id");--> statement-breakpoint
CREATE INDEX "review_submissions_of_version" ON "review_submissions" USING btree ("version_id","submission_id");--> statement-breakpoint
CREATE UNIQUE INDEX "review_tasks_open" ON "review_tasks" USING btree ("item_id") WHERE "review_tasks"."state" IN ('QUEUED', 'CLAIMED', 'WAITING');--> statement-breakpoint
CREATE INDEX "review_tasks_by_priority" ON "review_tasks" USING btree ("state","queue","priority" DESC NULLS LAST,"sla_due_at","task_id");--> statement-breakpoint
CREATE INDEX "review_tasks_of_submission" ON "review_tasks" USING btree ("submission_id","task_id");--> statement-breakpoint
CREATE INDEX "review_tasks_of_app" ON "review_tasks" USING btree ("app_id","task_id");--> statement-breakpoint
CREATE INDEX "review_tasks_leased" ON "review_tasks" USING btree ("claim_expires_at") WHERE "review_tasks"."state" = 'CLAIMED';--> statement-breakpoint
CREATE INDEX "store_counts_of_app" ON "store_counts" USING btree ("team_id","app_id","day");--> statement-breakpoint
CREATE INDEX "app_renames_of_app" ON "app_renames" USING btree ("app_id","at");--> statement-breakpoint
CREATE INDEX "version_codes_of_app" ON "version_codes" USING btree ("app_id","pkg_id");--> statement-breakpoint
CREATE INDEX "versions_of_app" ON "versions" USING btree ("app_id","version_id");--> statement-breakpoint
CREATE UNIQUE INDEX "versions_open" ON "versions" USING btree ("app_id") WHERE "versions"."state" IN
      ('DRAFT', 'PRECHECK', 'PRECHECK_FAILED', 'IN_REVIEW', 'REJECTED', 'PENDING_RELEASE', 'WITHDRAWN');--> statement-breakpoint
CREATE UNIQUE INDEX "versions_on_shelf" ON "versions" USING btree ("app_id") WHERE "versions"."state" IN ('ON_SHELF', 'SHELF_OFF_REVIEW');--> statement-breakpoint
CREATE INDEX "versions_pending" ON "versions" USING btree ("on_shelf_time") WHERE "versions"."state" = 'PENDING_RELEASE';--> statement-breakpoint
CREATE INDEX "versions_queued" ON "versions" USING btree ("pkg_id") WHERE "versions"."submit_queued_by" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "file_garbage_due" ON "file_garbage" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "file_objects_due" ON "file_objects" USING btree ("expire_at") WHERE "file_objects"."expire_at" is not null;--> statement-breakpoint
CREATE INDEX "file_objects_of_content" ON "file_objects" USING btree ("sha256") WHERE "file_objects"."state" in ('TEMP', 'NORMAL');--> statement-breakpoint
CREATE INDEX "file_objects_used" ON "file_objects" USING btree ("team_id","size_bytes") WHERE "file_objects"."state" in ('TEMP', 'NORMAL');--> statement-breakpoint
CREATE INDEX "file_uploads_of_object" ON "file_uploads" USING btree ("object_id");