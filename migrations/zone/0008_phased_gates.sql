CREATE TABLE "store_health" (
	"release_id" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"version_id" bigint NOT NULL,
	"hour" bigint NOT NULL,
	"kind" text NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"devices" bigint NOT NULL,
	CONSTRAINT "store_health_release_id_started_at_version_id_hour_kind_pk" PRIMARY KEY("release_id","started_at","version_id","hour","kind")
);
--> statement-breakpoint
CREATE TABLE "store_health_devices" (
	"version_id" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"device" text NOT NULL,
	"kind" text NOT NULL,
	"team_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "store_health_devices_version_id_started_at_device_kind_pk" PRIMARY KEY("version_id","started_at","device","kind")
);
--> statement-breakpoint
CREATE TABLE "store_health_releases" (
	"release_id" bigint PRIMARY KEY NOT NULL,
	"started_at" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"is_told" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "phased_changes" ADD COLUMN "users" bigint;--> statement-breakpoint
ALTER TABLE "phased_changes" ADD COLUMN "crashed" bigint;--> statement-breakpoint
ALTER TABLE "phased_changes" ADD COLUMN "trip" jsonb;--> statement-breakpoint
ALTER TABLE "phased_releases" ADD COLUMN "manual_pull" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "phased_releases" ADD COLUMN "gates" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "phased_releases" ADD COLUMN "health" jsonb;--> statement-breakpoint
ALTER TABLE "phased_releases" ADD COLUMN "health_before" jsonb;--> statement-breakpoint
ALTER TABLE "phased_releases" ADD COLUMN "end_at" bigint;--> statement-breakpoint
CREATE INDEX "store_health_devices_at" ON "store_health_devices" USING btree ("at");--> statement-breakpoint
CREATE INDEX "store_health_releases_untold" ON "store_health_releases" USING btree ("release_id") WHERE NOT "store_health_releases"."is_told";--> statement-breakpoint
CREATE INDEX "phased_releases_watched" ON "phased_releases" USING btree ("version_id") WHERE "phased_releases"."state" = 'RELEASE' AND "phased_releases"."gates" <> '[]'::jsonb;--> statement-breakpoint
CREATE INDEX "phased_releases_ending" ON "phased_releases" USING btree ("end_at") WHERE "phased_releases"."state" IN ('RELEASE', 'SUSPEND');