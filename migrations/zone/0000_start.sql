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
CREATE INDEX "audit_of_team" ON "audit" USING btree ("team_id","audit_id");--> statement-breakpoint
CREATE INDEX "audit_of_entity" ON "audit" USING btree ("entity_id");--> statement-breakpoint
CREATE INDEX "idempotency_expires_at_index" ON "idempotency" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("lease_until") WHERE "jobs"."state" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "outbox_waiting" ON "outbox" USING btree ("next_attempt_at","event_id") WHERE "outbox"."relayed_at" is null;