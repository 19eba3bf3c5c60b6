CREATE TABLE "fn_async_attempts" (
	"request_id" bigint NOT NULL,
	"attempt" integer NOT NULL,
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"invocation_id" bigint,
	"is_repeat" boolean NOT NULL,
	"started_at" bigint NOT NULL,
	"ended_at" bigint,
	"outcome" text,
	"error_type" text,
	"error_message" text,
	CONSTRAINT "fn_async_attempts_request_id_attempt_pk" PRIMARY KEY("request_id","attempt")
);
--> statement-breakpoint
CREATE TABLE "fn_async" (
	"request_id" bigint PRIMARY KEY NOT NULL,
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"qualifier" text NOT NULL,
	"source" text NOT NULL,
	"trigger_id" bigint,
	"dedupe_key" text,
	"payload_sha256" text,
	"order_key" text,
	"order_no" bigint,
	"depth" integer DEFAULT 0 NOT NULL,
	"caller" jsonb,
	"payload" text NOT NULL,
	"state" text NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"max_retry" integer NOT NULL,
	"available_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"owner" text,
	"lease_until" bigint,
	"reason" text,
	"error_type" text,
	"result" text,
	"told" jsonb,
	"created_at" bigint NOT NULL,
	"started_at" bigint,
	"finished_at" bigint
);
--> statement-breakpoint
CREATE TABLE "fn_async_settings" (
	"function_id" bigint NOT NULL,
	"qualifier" text NOT NULL,
	"team_id" bigint NOT NULL,
	"max_retry" integer NOT NULL,
	"max_age_sec" integer NOT NULL,
	"on_success" jsonb,
	"on_failure" jsonb,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "fn_async_settings_function_id_qualifier_pk" PRIMARY KEY("function_id","qualifier")
);
--> statement-breakpoint
CREATE TABLE "fn_log_marks" (
	"name" text PRIMARY KEY NOT NULL,
	"xid" "xid8" NOT NULL,
	"seq" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fn_triggers" (
	"trigger_id" bigint PRIMARY KEY NOT NULL,
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"type_code" text NOT NULL,
	"qualifier" text NOT NULL,
	"config" jsonb NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"url_key" text,
	"next_fire_at" bigint,
	"active_since" bigint NOT NULL,
	"fired" bigint DEFAULT 0 NOT NULL,
	"last_fired_at" bigint,
	"last_result" text,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "fn_async_attempts_of_function" ON "fn_async_attempts" USING btree ("function_id");--> statement-breakpoint
CREATE UNIQUE INDEX "fn_async_once" ON "fn_async" USING btree ("function_id","dedupe_key");--> statement-breakpoint
CREATE INDEX "fn_async_newest" ON "fn_async" USING btree ("function_id","request_id");--> statement-breakpoint
CREATE INDEX "fn_async_due" ON "fn_async" USING btree ("function_id","available_at","request_id") WHERE "fn_async"."state" = 'WAIT';--> statement-breakpoint
CREATE INDEX "fn_async_leased" ON "fn_async" USING btree ("lease_until") WHERE "fn_async"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX "fn_async_too_old" ON "fn_async" USING btree ("expires_at") WHERE "fn_async"."state" = 'WAIT';--> statement-breakpoint
CREATE INDEX "fn_async_in_order" ON "fn_async" USING btree ("order_key","order_no") WHERE "fn_async"."state" in ('WAIT', 'RUNNING');--> statement-breakpoint
CREATE INDEX "fn_async_over" ON "fn_async" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "fn_triggers_of_function" ON "fn_triggers" USING btree ("function_id","trigger_id");--> statement-breakpoint
CREATE INDEX "fn_triggers_listening" ON "fn_triggers" USING btree ("project_id","type_code") WHERE "fn_triggers"."is_enabled";--> statement-breakpoint
CREATE INDEX "fn_triggers_of_kind" ON "fn_triggers" USING btree ("type_code","project_id") WHERE "fn_triggers"."is_enabled";--> statement-breakpoint
CREATE INDEX "fn_triggers_due" ON "fn_triggers" USING btree ("next_fire_at") WHERE "fn_triggers"."is_enabled" and "fn_triggers"."next_fire_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "fn_triggers_by_url" ON "fn_triggers" USING btree ("url_key");