CREATE TABLE "fn_canaries" (
	"canary_id" bigint PRIMARY KEY NOT NULL,
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"alias_name" text NOT NULL,
	"from_version" text NOT NULL,
	"to_version" text NOT NULL,
	"steps" jsonb NOT NULL,
	"limits" jsonb NOT NULL,
	"state" text NOT NULL,
	"step" integer NOT NULL,
	"step_started_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" bigint,
	"updated_at" bigint NOT NULL,
	"ended_at" bigint,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fn_canary_history" (
	"entry_id" bigint PRIMARY KEY NOT NULL,
	"canary_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	"action" text NOT NULL,
	"weight" integer NOT NULL,
	"calls" integer NOT NULL,
	"failures" integer NOT NULL,
	"p95_ms" integer,
	"actor" bigint
);
--> statement-breakpoint
CREATE TABLE "fn_governance" (
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"qualifier" text NOT NULL,
	"kind" text NOT NULL,
	"spec" jsonb NOT NULL,
	"is_enabled" boolean NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "fn_governance_function_id_qualifier_kind_pk" PRIMARY KEY("function_id","qualifier","kind")
);
--> statement-breakpoint
CREATE TABLE "fn_layer_versions" (
	"layer_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"description" text NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"unpacked_bytes" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" bigint,
	CONSTRAINT "fn_layer_versions_layer_id_number_pk" PRIMARY KEY("layer_id","number")
);
--> statement-breakpoint
CREATE TABLE "fn_layers" (
	"layer_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"runtimes" jsonb NOT NULL,
	"last_number" integer DEFAULT 0 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fn_manager_configs" (
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"qualifier" text NOT NULL,
	"min_instances" integer NOT NULL,
	"max_instances" integer NOT NULL,
	"idle_timeout_sec" integer NOT NULL,
	"log_level" text NOT NULL,
	"egress" jsonb NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "fn_manager_configs_function_id_qualifier_pk" PRIMARY KEY("function_id","qualifier")
);
--> statement-breakpoint
CREATE TABLE "fn_scaling_rules" (
	"rule_id" bigint PRIMARY KEY NOT NULL,
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"qualifier" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"settings" jsonb NOT NULL,
	"is_enabled" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "fn_canaries_of" ON "fn_canaries" USING btree ("function_id","canary_id");--> statement-breakpoint
CREATE UNIQUE INDEX "fn_canaries_open" ON "fn_canaries" USING btree ("function_id","alias_name") WHERE "fn_canaries"."state" IN ('RUNNING', 'PAUSED');--> statement-breakpoint
CREATE INDEX "fn_canaries_running" ON "fn_canaries" USING btree ("canary_id") WHERE "fn_canaries"."state" = 'RUNNING';--> statement-breakpoint
CREATE INDEX "fn_canary_history_of" ON "fn_canary_history" USING btree ("canary_id","entry_id");--> statement-breakpoint
CREATE UNIQUE INDEX "fn_layers_by_name" ON "fn_layers" USING btree ("project_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "fn_layers_of_team" ON "fn_layers" USING btree ("team_id","layer_id");--> statement-breakpoint
CREATE INDEX "fn_scaling_rules_of" ON "fn_scaling_rules" USING btree ("function_id","rule_id");--> statement-breakpoint
CREATE INDEX "fn_invocations_lately" ON "fn_invocations" USING btree ("function_id","started_at");