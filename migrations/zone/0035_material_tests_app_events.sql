CREATE TABLE "app_event_buffer" (
	"project_id" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"received_at" bigint NOT NULL,
	"name" text NOT NULL,
	"unit" text NOT NULL,
	"at" bigint NOT NULL,
	"value" double precision,
	"experiment" text,
	"variant" text,
	"props" text NOT NULL,
	CONSTRAINT "app_event_buffer_project_id_event_id_pk" PRIMARY KEY("project_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "app_event_segments" (
	"segment_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"project_id" bigint NOT NULL,
	"day" text NOT NULL,
	"seq" integer NOT NULL,
	"rows" bigint NOT NULL,
	"size_bytes" bigint NOT NULL,
	"min_at" bigint NOT NULL,
	"max_at" bigint NOT NULL,
	"sha256" text NOT NULL,
	"created_at" bigint NOT NULL,
	"drop_at" bigint
);
--> statement-breakpoint
CREATE TABLE "material_counts" (
	"test_id" bigint NOT NULL,
	"variant_id" bigint NOT NULL,
	"day" text NOT NULL,
	"kind" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"devices" bigint NOT NULL,
	CONSTRAINT "material_counts_test_id_variant_id_day_kind_pk" PRIMARY KEY("test_id","variant_id","day","kind")
);
--> statement-breakpoint
CREATE TABLE "material_devices" (
	"test_id" bigint NOT NULL,
	"device" text NOT NULL,
	"kind" text NOT NULL,
	"variant_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "material_devices_test_id_device_kind_pk" PRIMARY KEY("test_id","device","kind")
);
--> statement-breakpoint
CREATE TABLE "material_tests" (
	"test_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"elements" text[] NOT NULL,
	"langs" text[] NOT NULL,
	"countries" text[] NOT NULL,
	"traffic_percent" integer NOT NULL,
	"control_share" integer NOT NULL,
	"metric" text NOT NULL,
	"mde_bp" integer NOT NULL,
	"base_rate_bp" integer NOT NULL,
	"confidence_percent" integer NOT NULL,
	"start_mode" text NOT NULL,
	"start_at" bigint,
	"min_days" integer NOT NULL,
	"max_days" integer NOT NULL,
	"auto_stop" boolean NOT NULL,
	"note" text,
	"submitted_by" bigint,
	"submitted_at" bigint,
	"decided_by" bigint,
	"decided_at" bigint,
	"started_at" bigint,
	"stopped_at" bigint,
	"stop_reason" text,
	"applied_variant_id" bigint,
	"applied_at" bigint,
	"control" jsonb NOT NULL,
	"findings" jsonb,
	"created_by" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "material_variants" (
	"variant_id" bigint PRIMARY KEY NOT NULL,
	"test_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"name" text NOT NULL,
	"share" integer NOT NULL,
	"materials" jsonb NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "app_event_segments_of_day" ON "app_event_segments" USING btree ("project_id","day","seq");--> statement-breakpoint
CREATE INDEX "app_event_segments_of_bytes" ON "app_event_segments" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "app_event_segments_to_drop" ON "app_event_segments" USING btree ("drop_at");--> statement-breakpoint
CREATE INDEX "material_tests_of_app" ON "material_tests" USING btree ("app_id","test_id");--> statement-breakpoint
CREATE INDEX "material_tests_waiting" ON "material_tests" USING btree ("submitted_at","test_id") WHERE "material_tests"."state" = 'AUDITING';--> statement-breakpoint
CREATE INDEX "material_tests_moving" ON "material_tests" USING btree ("test_id") WHERE "material_tests"."state" IN ('READY', 'RUNNING');--> statement-breakpoint
CREATE INDEX "material_variants_of_test" ON "material_variants" USING btree ("test_id","variant_id");