CREATE TABLE "harmony_certs" (
	"cert_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"type" integer NOT NULL,
	"state" text NOT NULL,
	"authority_id" bigint NOT NULL,
	"certificate" text NOT NULL,
	"subject" text NOT NULL,
	"serial" text NOT NULL,
	"sha256" text NOT NULL,
	"csr_sha256" text NOT NULL,
	"expire_at" bigint NOT NULL,
	"reminded" integer,
	"revoked_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "harmony_device_limits" (
	"team_id" bigint PRIMARY KEY NOT NULL,
	"devices_of_type" integer NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "harmony_devices" (
	"device_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"name" text NOT NULL,
	"udid" text NOT NULL,
	"type" integer NOT NULL,
	"state" text NOT NULL,
	"counted_at" bigint NOT NULL,
	"removed_at" bigint,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "harmony_profile_devices" (
	"profile_id" bigint NOT NULL,
	"device_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	CONSTRAINT "harmony_profile_devices_profile_id_device_id_pk" PRIMARY KEY("profile_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "harmony_profiles" (
	"profile_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"name" text NOT NULL,
	"type" integer NOT NULL,
	"cert_id" bigint NOT NULL,
	"state" text NOT NULL,
	"invalid_reason" text,
	"uuid" text NOT NULL,
	"p7b" "bytea" NOT NULL,
	"issued_at" bigint NOT NULL,
	"expire_at" bigint NOT NULL,
	"reminded" integer,
	"created_by" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "harmony_certs_name" ON "harmony_certs" USING btree ("team_id",lower("name")) WHERE "harmony_certs"."state" = 'VALID';--> statement-breakpoint
CREATE INDEX "harmony_certs_of_team" ON "harmony_certs" USING btree ("team_id","cert_id");--> statement-breakpoint
CREATE INDEX "harmony_certs_by_end" ON "harmony_certs" USING btree ("expire_at") WHERE "harmony_certs"."state" = 'VALID';--> statement-breakpoint
CREATE UNIQUE INDEX "harmony_devices_udid" ON "harmony_devices" USING btree ("team_id","udid");--> statement-breakpoint
CREATE UNIQUE INDEX "harmony_devices_name" ON "harmony_devices" USING btree ("team_id",lower("name")) WHERE "harmony_devices"."state" = 'ACTIVE';--> statement-breakpoint
CREATE INDEX "harmony_devices_of_team" ON "harmony_devices" USING btree ("team_id","device_id");--> statement-breakpoint
CREATE INDEX "harmony_profile_devices_of_device" ON "harmony_profile_devices" USING btree ("device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "harmony_profiles_name" ON "harmony_profiles" USING btree ("team_id",lower("name"));--> statement-breakpoint
CREATE INDEX "harmony_profiles_of_team" ON "harmony_profiles" USING btree ("team_id","profile_id");--> statement-breakpoint
CREATE INDEX "harmony_profiles_of_app" ON "harmony_profiles" USING btree ("app_id","profile_id");--> statement-breakpoint
CREATE INDEX "harmony_profiles_of_cert" ON "harmony_profiles" USING btree ("cert_id");--> statement-breakpoint
CREATE INDEX "harmony_profiles_by_end" ON "harmony_profiles" USING btree ("expire_at") WHERE "harmony_profiles"."state" = 'VALID';