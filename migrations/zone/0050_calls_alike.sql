CREATE TABLE "fn_calls_alike" (
	"function_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"qualifier" text NOT NULL,
	"version" text NOT NULL,
	"source" text NOT NULL,
	"calls" integer NOT NULL,
	"first_id" bigint NOT NULL,
	"last_id" bigint NOT NULL,
	"request_ids" bigint[] NOT NULL,
	"queue_ms" bigint[] NOT NULL,
	"run_ms" bigint[] NOT NULL,
	"mem_peak_mb" bigint[] NOT NULL,
	"started_at" bigint[] NOT NULL,
	CONSTRAINT "fn_calls_alike_function_id_last_id_pk" PRIMARY KEY("function_id","last_id")
);
