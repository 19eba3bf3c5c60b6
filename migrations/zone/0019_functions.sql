CREATE TABLE "fn_aliases" (
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"version" text NOT NULL,
	"additional" jsonb,
	"description" text DEFAULT '' NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "fn_aliases_function_id_name_pk" PRIMARY KEY("function_id","name")
);
--> statement-breakpoint
CREATE TABLE "fn_versions" (
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"description" text NOT NULL,
	"config" jsonb NOT NULL,
	"sealed_env" text,
	"code_sha256" text NOT NULL,
	"code_bytes" bigint NOT NULL,
	"digest" text NOT NULL,
	"published_at" bigint NOT NULL,
	"published_by" bigint,
	CONSTRAINT "fn_versions_function_id_version_pk" PRIMARY KEY("function_id","version")
);
--> statement-breakpoint
CREATE TABLE "fn_functions" (
	"function_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"function_name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"config" jsonb NOT NULL,
	"sealed_env" text,
	"code_sha256" text NOT NULL,
	"code_bytes" bigint NOT NULL,
	"digest" text NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"last_version" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fn_invocations" (
	"request_id" bigint PRIMARY KEY NOT NULL,
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"qualifier" text NOT NULL,
	"version" text NOT NULL,
	"source" text NOT NULL,
	"outcome" text NOT NULL,
	"error_type" text,
	"error_message" text,
	"is_cold" boolean NOT NULL,
	"queue_ms" integer NOT NULL,
	"boot_ms" integer NOT NULL,
	"init_ms" integer NOT NULL,
	"run_ms" integer NOT NULL,
	"mem_peak_mb" integer NOT NULL,
	"started_at" bigint NOT NULL,
	"lines" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fn_test_events" (
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"content" text NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "fn_test_events_function_id_name_pk" PRIMARY KEY("function_id","name")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "fn_functions_by_name" ON "fn_functions" USING btree ("project_id","function_name");--> statement-breakpoint
CREATE INDEX "fn_functions_of_team" ON "fn_functions" USING btree ("team_id","function_id");--> statement-breakpoint
CREATE INDEX "fn_invocations_newest" ON "fn_invocations" USING btree ("function_id","request_id");--> statement-breakpoint
CREATE INDEX "fn_invocations_ending" ON "fn_invocations" USING btree ("started_at");