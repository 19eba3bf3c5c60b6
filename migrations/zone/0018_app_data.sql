CREATE TABLE "app_user_days" (
	"project_id" bigint NOT NULL,
	"day" text NOT NULL,
	"uid" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	CONSTRAINT "app_user_days_project_id_day_uid_pk" PRIMARY KEY("project_id","day","uid")
);
--> statement-breakpoint
CREATE TABLE "app_user_identities" (
	"project_id" bigint NOT NULL,
	"provider" integer NOT NULL,
	"issuer" text NOT NULL,
	"open_id" text NOT NULL,
	"uid" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"display_name" text DEFAULT '' NOT NULL,
	"email" text,
	"photo_url" text DEFAULT '' NOT NULL,
	"linked_at" bigint NOT NULL,
	CONSTRAINT "app_user_identities_project_id_provider_issuer_open_id_pk" PRIMARY KEY("project_id","provider","issuer","open_id")
);
--> statement-breakpoint
CREATE TABLE "app_user_sessions" (
	"family_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"uid" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"provider" integer NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"rotated_at" bigint DEFAULT 0 NOT NULL,
	"client_id" bigint NOT NULL,
	"device" text DEFAULT '' NOT NULL,
	"place" text DEFAULT '' NOT NULL,
	"auth_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"ended_because" text
);
--> statement-breakpoint
CREATE TABLE "app_users" (
	"uid" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"state" text NOT NULL,
	"display_name" text DEFAULT '' NOT NULL,
	"photo_url" text DEFAULT '' NOT NULL,
	"email" text,
	"email_verified" boolean DEFAULT false NOT NULL,
	"phone" text,
	"password_hash" text,
	"foreign_hash" jsonb,
	"is_anonymous" boolean DEFAULT false NOT NULL,
	"claims" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"tokens_after" bigint DEFAULT 0 NOT NULL,
	"import_uid" text,
	"created_at" bigint NOT NULL,
	"last_sign_in_at" bigint,
	"deleted_at" bigint,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_auth_codes" (
	"code_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"channel" text NOT NULL,
	"target" text NOT NULL,
	"action" integer NOT NULL,
	"code_hash" text NOT NULL,
	"requester" text NOT NULL,
	"place" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "app_auth_failures" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"first_at" bigint NOT NULL,
	"locked_until" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_auth_hooks" (
	"hook_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"moment" text NOT NULL,
	"url" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"timeout_ms" integer NOT NULL,
	"on_failure" text NOT NULL,
	"enabled" boolean NOT NULL,
	"calls" bigint DEFAULT 0 NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"last_at" bigint,
	"last_outcome" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_auth_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"sealed_private" text NOT NULL,
	"signs_from" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_auth_messages" (
	"message_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"phone" text NOT NULL,
	"country" text NOT NULL,
	"day" text NOT NULL,
	"sealed_text" text NOT NULL,
	"state" text NOT NULL,
	"engine" text DEFAULT '' NOT NULL,
	"reason" text,
	"is_test" boolean DEFAULT false NOT NULL,
	"code_id" bigint,
	"created_at" bigint NOT NULL,
	"sent_at" bigint,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "app_auth_methods" (
	"project_id" bigint NOT NULL,
	"provider" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"enabled" boolean NOT NULL,
	"config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sealed_secret" text,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "app_auth_methods_project_id_provider_pk" PRIMARY KEY("project_id","provider")
);
--> statement-breakpoint
CREATE TABLE "app_auth_products" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"settings" jsonb NOT NULL,
	"host" jsonb,
	"sealed_sms_secret" text,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "app_auth_templates" (
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"language" text NOT NULL,
	"team_id" bigint NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "app_auth_templates_project_id_kind_language_pk" PRIMARY KEY("project_id","kind","language")
);
--> statement-breakpoint
CREATE TABLE "app_auth_quick_logins" (
	"project_id" bigint NOT NULL,
	"carrier" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" text NOT NULL,
	"sealed_key" text NOT NULL,
	"check_url" text NOT NULL,
	"enabled" boolean NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "app_auth_quick_logins_project_id_carrier_pk" PRIMARY KEY("project_id","carrier")
);
--> statement-breakpoint
CREATE TABLE "app_auth_sms_blocks" (
	"project_id" bigint NOT NULL,
	"country" text NOT NULL,
	"team_id" bigint NOT NULL,
	"until" bigint NOT NULL,
	CONSTRAINT "app_auth_sms_blocks_project_id_country_pk" PRIMARY KEY("project_id","country")
);
--> statement-breakpoint
CREATE TABLE "app_user_import_rows" (
	"import_id" bigint NOT NULL,
	"index" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"row" jsonb,
	"code" text,
	"message" text,
	CONSTRAINT "app_user_import_rows_import_id_index_pk" PRIMARY KEY("import_id","index")
);
--> statement-breakpoint
CREATE TABLE "app_user_imports" (
	"import_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"state" text NOT NULL,
	"is_dry_run" boolean NOT NULL,
	"on_conflict" text NOT NULL,
	"hash" jsonb,
	"total" integer DEFAULT 0 NOT NULL,
	"done_rows" integer DEFAULT 0 NOT NULL,
	"made" integer DEFAULT 0 NOT NULL,
	"merged" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"job_id" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"ended_at" bigint
);
--> statement-breakpoint
CREATE TABLE "cdb_changes" (
	"seq" bigserial PRIMARY KEY NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"project_id" bigint NOT NULL,
	"zone_id" bigint NOT NULL,
	"type_key" text NOT NULL,
	"version" bigint,
	"before" jsonb,
	"after" jsonb,
	"bytes" integer DEFAULT 0 NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cdb_databases" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"is_enabled" boolean DEFAULT false NOT NULL,
	"schema_version" integer DEFAULT 0 NOT NULL,
	"api_version" text DEFAULT 'v1' NOT NULL,
	"retention_days" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cdb_counted" (
	"name" text PRIMARY KEY NOT NULL,
	"xid" "xid8" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cdb_zones" (
	"zone_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"schema_name" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "cdb_zones_schemaName_unique" UNIQUE("schema_name")
);
--> statement-breakpoint
CREATE TABLE "cdb_listeners" (
	"process_name" text NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"connections" integer NOT NULL,
	"subscriptions" integer NOT NULL,
	"groups" jsonb NOT NULL,
	"sent" bigint NOT NULL,
	"resyncs" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "cdb_listeners_process_name_project_id_pk" PRIMARY KEY("process_name","project_id")
);
--> statement-breakpoint
CREATE TABLE "cdb_types" (
	"type_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"name_key" text NOT NULL,
	"definition" jsonb NOT NULL,
	"index_states" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"schema_version" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cdb_processes" (
	"process_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"input" jsonb NOT NULL,
	"rows_done" bigint DEFAULT 0 NOT NULL,
	"rows_total" bigint,
	"inserted" bigint DEFAULT 0 NOT NULL,
	"updated" bigint DEFAULT 0 NOT NULL,
	"skipped" bigint DEFAULT 0 NOT NULL,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error_count" bigint DEFAULT 0 NOT NULL,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"object_ids" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "cdb_requests" (
	"project_id" bigint NOT NULL,
	"request_id" text NOT NULL,
	"digest" text NOT NULL,
	"answer" jsonb,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "cdb_requests_project_id_request_id_pk" PRIMARY KEY("project_id","request_id")
);
--> statement-breakpoint
CREATE TABLE "cdb_schema_versions" (
	"project_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"object_types" jsonb NOT NULL,
	"summary" text NOT NULL,
	"author" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "cdb_schema_versions_project_id_version_pk" PRIMARY KEY("project_id","version")
);
--> statement-breakpoint
CREATE TABLE "cdb_usage" (
	"project_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"day" text NOT NULL,
	"type_key" text NOT NULL,
	"reads" bigint DEFAULT 0 NOT NULL,
	"writes" bigint DEFAULT 0 NOT NULL,
	"written_bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "cdb_usage_project_id_day_type_key_pk" PRIMARY KEY("project_id","day","type_key")
);
--> statement-breakpoint
CREATE TABLE "rules_decisions" (
	"decision_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"service" text NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"uid" text,
	"ip" text,
	"request_id" text,
	"version" integer NOT NULL,
	"is_allowed" boolean NOT NULL,
	"weight" real DEFAULT 1 NOT NULL,
	"errors" integer NOT NULL,
	"snapshot" jsonb NOT NULL,
	"matched" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rules_heads" (
	"project_id" bigint NOT NULL,
	"service" text NOT NULL,
	"team_id" bigint NOT NULL,
	"published" integer DEFAULT 0 NOT NULL,
	"last_version" integer DEFAULT 0 NOT NULL,
	"draft" text,
	"draft_by" bigint,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "rules_heads_project_id_service_pk" PRIMARY KEY("project_id","service")
);
--> statement-breakpoint
CREATE TABLE "rules_minutes" (
	"project_id" bigint NOT NULL,
	"service" text NOT NULL,
	"minute" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"allowed" bigint NOT NULL,
	"denied" bigint NOT NULL,
	"errors" bigint NOT NULL,
	CONSTRAINT "rules_minutes_project_id_service_minute_pk" PRIMARY KEY("project_id","service","minute")
);
--> statement-breakpoint
CREATE TABLE "rules_statement_hours" (
	"project_id" bigint NOT NULL,
	"service" text NOT NULL,
	"version" integer NOT NULL,
	"line" integer NOT NULL,
	"col" integer NOT NULL,
	"hour" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"evaluated" bigint NOT NULL,
	"granted" bigint NOT NULL,
	"errors" bigint NOT NULL,
	CONSTRAINT "rules_statement_hours_key" PRIMARY KEY("project_id","service","version","line","col","hour")
);
--> statement-breakpoint
CREATE TABLE "rules_versions" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"project_id" bigint NOT NULL,
	"service" text NOT NULL,
	"team_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"source" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"published_at" bigint NOT NULL,
	"published_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_buckets" (
	"bucket_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"state" text NOT NULL,
	"versioning" text NOT NULL,
	"max_object_bytes" bigint,
	"allowed_types" text[] DEFAULT '{}' NOT NULL,
	"lifecycle" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"cors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_versions" (
	"bucket_id" text NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"team_id" bigint NOT NULL,
	"generation" bigint NOT NULL,
	"size_bytes" bigint NOT NULL,
	"content_type" text NOT NULL,
	"sniffed_type" text,
	"cache_control" text,
	"content_disposition" text,
	"content_encoding" text,
	"content_language" text,
	"sha256" text,
	"md5" text,
	"etag" text NOT NULL,
	"checksums" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"owner_uid" text,
	"blob" text,
	"content" "bytea",
	"created_at" bigint NOT NULL,
	"is_delete_marker" boolean DEFAULT false NOT NULL,
	"replaced_at" bigint NOT NULL,
	CONSTRAINT "storage_versions_bucket_id_path_generation_pk" PRIMARY KEY("bucket_id","path","generation")
);
--> statement-breakpoint
CREATE TABLE "storage_objects" (
	"bucket_id" text NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"team_id" bigint NOT NULL,
	"generation" bigint NOT NULL,
	"size_bytes" bigint NOT NULL,
	"content_type" text NOT NULL,
	"sniffed_type" text,
	"cache_control" text,
	"content_disposition" text,
	"content_encoding" text,
	"content_language" text,
	"sha256" text,
	"md5" text,
	"etag" text NOT NULL,
	"checksums" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"owner_uid" text,
	"blob" text,
	"content" "bytea",
	"created_at" bigint NOT NULL,
	"metageneration" integer DEFAULT 1 NOT NULL,
	"tokens" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "storage_objects_bucket_id_path_pk" PRIMARY KEY("bucket_id","path")
);
--> statement-breakpoint
CREATE TABLE "storage_counters" (
	"bucket_id" text NOT NULL,
	"shard" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"objects" bigint NOT NULL,
	CONSTRAINT "storage_counters_bucket_id_shard_pk" PRIMARY KEY("bucket_id","shard")
);
--> statement-breakpoint
CREATE TABLE "storage_days" (
	"bucket_id" text NOT NULL,
	"day" text NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"stored_bytes" bigint DEFAULT 0 NOT NULL,
	"objects" bigint DEFAULT 0 NOT NULL,
	"class_a" bigint DEFAULT 0 NOT NULL,
	"class_b" bigint DEFAULT 0 NOT NULL,
	"egress_bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "storage_days_bucket_id_day_pk" PRIMARY KEY("bucket_id","day")
);
--> statement-breakpoint
CREATE TABLE "storage_garbage" (
	"blob" text PRIMARY KEY NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_parts" (
	"upload_id" text NOT NULL,
	"part_number" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"slot" bigint NOT NULL,
	"size_bytes" bigint NOT NULL,
	"md5" text NOT NULL,
	"checksums" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"received_at" bigint NOT NULL,
	CONSTRAINT "storage_parts_upload_id_part_number_pk" PRIMARY KEY("upload_id","part_number")
);
--> statement-breakpoint
CREATE TABLE "storage_services" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"level" text NOT NULL,
	"default_bucket_id" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_sites" (
	"bucket_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"state" text NOT NULL,
	"index_doc" text NOT NULL,
	"error_doc" text,
	"is_single_page" boolean DEFAULT false NOT NULL,
	"cache_rules" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refreshes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_uploads" (
	"upload_id" text PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"bucket_id" text NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"size_bytes" bigint,
	"sha256" text,
	"owner_uid" text,
	"is_trusted" boolean DEFAULT false NOT NULL,
	"attributes" jsonb NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"pieces" integer DEFAULT 0 NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "app_user_identities_of_user" ON "app_user_identities" USING btree ("uid","provider");--> statement-breakpoint
CREATE INDEX "app_user_sessions_of_user" ON "app_user_sessions" USING btree ("uid","family_id");--> statement-breakpoint
CREATE INDEX "app_user_sessions_over" ON "app_user_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "app_users_email" ON "app_users" USING btree ("project_id","email") WHERE "app_users"."email" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "app_users_phone" ON "app_users" USING btree ("project_id","phone") WHERE "app_users"."phone" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "app_users_import" ON "app_users" USING btree ("project_id","import_uid") WHERE "app_users"."import_uid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "app_users_of_project" ON "app_users" USING btree ("project_id","uid");--> statement-breakpoint
CREATE INDEX "app_users_mail_prefix" ON "app_users" USING btree ("project_id","email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "app_users_name_prefix" ON "app_users" USING btree ("project_id",lower("display_name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "app_users_created" ON "app_users" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "app_users_tombstones" ON "app_users" USING btree ("deleted_at") WHERE "app_users"."deleted_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "app_auth_codes_of_target" ON "app_auth_codes" USING btree ("project_id","target","created_at");--> statement-breakpoint
CREATE INDEX "app_auth_codes_of_place" ON "app_auth_codes" USING btree ("project_id","place","created_at");--> statement-breakpoint
CREATE INDEX "app_auth_codes_over" ON "app_auth_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "app_auth_failures_over" ON "app_auth_failures" USING btree ("first_at");--> statement-breakpoint
CREATE INDEX "app_auth_hooks_of_project" ON "app_auth_hooks" USING btree ("project_id","moment");--> statement-breakpoint
CREATE INDEX "app_auth_messages_of_project" ON "app_auth_messages" USING btree ("project_id","message_id");--> statement-breakpoint
CREATE INDEX "app_auth_messages_by_day" ON "app_auth_messages" USING btree ("project_id","day","country");--> statement-breakpoint
CREATE INDEX "app_auth_messages_recent" ON "app_auth_messages" USING btree ("project_id","country","created_at");--> statement-breakpoint
CREATE INDEX "app_auth_messages_of_code" ON "app_auth_messages" USING btree ("code_id");--> statement-breakpoint
CREATE INDEX "app_user_imports_of_project" ON "app_user_imports" USING btree ("project_id","import_id");--> statement-breakpoint
CREATE INDEX "cdb_changes_in_order" ON "cdb_changes" USING btree ("xid","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "cdb_zones_by_name" ON "cdb_zones" USING btree ("project_id","name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "cdb_types_by_name" ON "cdb_types" USING btree ("project_id","name_key");--> statement-breakpoint
CREATE INDEX "cdb_processes_of_project" ON "cdb_processes" USING btree ("project_id","process_id");--> statement-breakpoint
CREATE INDEX "cdb_requests_expired" ON "cdb_requests" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rules_decisions_of_project" ON "rules_decisions" USING btree ("project_id","service","is_allowed","decision_id");--> statement-breakpoint
CREATE INDEX "rules_decisions_of_person" ON "rules_decisions" USING btree ("project_id","uid") WHERE "rules_decisions"."uid" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "rules_decisions_due" ON "rules_decisions" USING btree ("at");--> statement-breakpoint
CREATE INDEX "rules_minutes_due" ON "rules_minutes" USING btree ("minute");--> statement-breakpoint
CREATE INDEX "rules_statement_hours_due" ON "rules_statement_hours" USING btree ("hour");--> statement-breakpoint
CREATE UNIQUE INDEX "rules_versions_of_project" ON "rules_versions" USING btree ("project_id","service","version");--> statement-breakpoint
CREATE INDEX "storage_buckets_of_project" ON "storage_buckets" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "storage_versions_of_blob" ON "storage_versions" USING btree ("blob") WHERE "storage_versions"."blob" is not null;--> statement-breakpoint
CREATE INDEX "storage_versions_by_age" ON "storage_versions" USING btree ("bucket_id","replaced_at");--> statement-breakpoint
CREATE INDEX "storage_objects_of_blob" ON "storage_objects" USING btree ("blob") WHERE "storage_objects"."blob" is not null;--> statement-breakpoint
CREATE INDEX "storage_objects_by_age" ON "storage_objects" USING btree ("bucket_id","updated_at");--> statement-breakpoint
CREATE INDEX "storage_days_of_project" ON "storage_days" USING btree ("project_id","day");--> statement-breakpoint
CREATE INDEX "storage_garbage_due" ON "storage_garbage" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "storage_uploads_resumed" ON "storage_uploads" USING btree ("bucket_id","path",coalesce("owner_uid", ''),"size_bytes","sha256") WHERE "storage_uploads"."kind" = 'RESUMABLE' AND "storage_uploads"."state" IN ('OPEN', 'FINALIZING');--> statement-breakpoint
CREATE INDEX "storage_uploads_of_bucket" ON "storage_uploads" USING btree ("bucket_id","path","upload_id");--> statement-breakpoint
CREATE INDEX "storage_uploads_due" ON "storage_uploads" USING btree ("expires_at");