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
CREATE UNIQUE INDEX "accounts_login_key" ON "accounts" USING btree ("login_key");--> statement-breakpoint
CREATE INDEX "sessions_of_account" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "members_of_account" ON "members" USING btree ("account_id");