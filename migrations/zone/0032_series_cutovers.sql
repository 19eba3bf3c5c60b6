CREATE TABLE "app_series_cutovers" (
	"cutover_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"series_id" bigint NOT NULL,
	"start_at" bigint NOT NULL,
	"countries" text[] DEFAULT '{}' NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"before" jsonb,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "app_series_cutovers_of_series" ON "app_series_cutovers" USING btree ("series_id","cutover_id");--> statement-breakpoint
CREATE UNIQUE INDEX "app_series_cutovers_planned" ON "app_series_cutovers" USING btree ("series_id") WHERE "app_series_cutovers"."state" = 'PLANNED';--> statement-breakpoint
CREATE INDEX "app_series_cutovers_due" ON "app_series_cutovers" USING btree ("start_at") WHERE "app_series_cutovers"."state" = 'PLANNED';