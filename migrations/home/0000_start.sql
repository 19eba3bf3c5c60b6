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
CREATE TABLE "package_names" (
	"package_type" text NOT NULL,
	"name_key" text NOT NULL,
	"package_name" text NOT NULL,
	"app_id" bigint NOT NULL,
	"holder_team_id" bigint NOT NULL,
	"zone" text NOT NULL,
	"reserved_until" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "package_names_package_type_name_key_pk" PRIMARY KEY("package_type","name_key")
);
--> statement-breakpoint
CREATE TABLE "store_records" (
	"version_id" bigint PRIMARY KEY NOT NULL,
	"app_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"zone" text NOT NULL,
	"package_name" text NOT NULL,
	"version_code" bigint NOT NULL,
	"version_name" text NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"object_id" text NOT NULL,
	"signers" text[] NOT NULL,
	"legacy_signature" text,
	"min_sdk" integer,
	"target_sdk" integer,
	"abis" text[] NOT NULL,
	"permissions" jsonb NOT NULL,
	"listings" jsonb NOT NULL,
	"default_locale" text NOT NULL,
	"category" integer,
	"is_game" boolean DEFAULT false NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"developer_name" text,
	"countries" text[] NOT NULL,
	"state" text NOT NULL,
	"is_forced_off" boolean DEFAULT false NOT NULL,
	"is_frozen" boolean DEFAULT false NOT NULL,
	"on_shelf_at" bigint NOT NULL,
	"left_at" bigint,
	"changed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "store_signing_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL,
	"certificate" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shelf_names" (
	"app_id" bigint NOT NULL,
	"lang" text NOT NULL,
	"name_key" text NOT NULL,
	"app_name" text NOT NULL,
	"countries" text[] NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "shelf_names_app_id_lang_pk" PRIMARY KEY("app_id","lang")
);
--> statement-breakpoint
CREATE TABLE "project_apps" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"has_ended" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"project_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"zone" text NOT NULL,
	"app_count" integer DEFAULT 0 NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"login_name" text NOT NULL,
	"login_key" text NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"status" integer DEFAULT 1 NOT NULL,
	"verify_real_state" integer DEFAULT 0 NOT NULL,
	"staff_roles" text[] DEFAULT '{}' NOT NULL,
	"home_team_id" bigint,
	"site_id" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"session_id" text PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"counter" integer DEFAULT 1 NOT NULL,
	"rotated_at" bigint NOT NULL,
	"soft_expire_at" bigint NOT NULL,
	"hard_expire_at" bigint NOT NULL,
	"revoked_at" bigint,
	"ip" text,
	"user_agent" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"first_at" bigint NOT NULL,
	"locked_until" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "members" (
	"team_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"roles" text[] NOT NULL,
	"joined_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "members_team_id_account_id_pk" PRIMARY KEY("team_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"team_id" bigint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"country_code" text NOT NULL,
	"site_id" integer NOT NULL,
	"leader_account_id" bigint NOT NULL,
	"user_type" integer DEFAULT 1 NOT NULL,
	"perm_version" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_of_team" ON "audit" USING btree ("team_id","audit_id");--> statement-breakpoint
CREATE INDEX "audit_of_entity" ON "audit" USING btree ("entity_id");--> statement-breakpoint
CREATE INDEX "idempotency_expires_at_index" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("lease_until") WHERE "jobs"."state" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("next_attempt_at","event_id") WHERE "outbox"."relayed_at" is null;--> statement-breakpoint
CREATE INDEX "package_names_of_app" ON "package_names" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "store_records_of_package" ON "store_records" USING btree ("package_name");--> statement-breakpoint
CREATE INDEX "store_records_of_app" ON "store_records" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "store_records_on_shelf" ON "store_records" USING btree ("package_name") WHERE "store_records"."state" = 'on_shelf';--> statement-breakpoint
CREATE INDEX "store_records_left" ON "store_records" USING btree ("left_at") WHERE "store_records"."state" <> 'on_shelf';--> statement-breakpoint
CREATE INDEX "store_records_of_zone" ON "store_records" USING btree ("zone","changed_at");--> statement-breakpoint
CREATE INDEX "shelf_names_by_key" ON "shelf_names" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "project_apps_of_project" ON "project_apps" USING btree ("project_id");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_name" ON "projects" USING btree ("team_id","name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_login_key" ON "accounts" USING btree ("login_key");--> statement-breakpoint
CREATE INDEX "sessions_of_account" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "members_of_account" ON "members" USING btree ("account_id");