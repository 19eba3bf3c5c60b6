CREATE TABLE "harmony_authorities" (
	"authority_id" bigint PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"certificate" text NOT NULL,
	"sealed_key" text NOT NULL,
	"not_after" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "harmony_revocations" (
	"cert_id" bigint PRIMARY KEY NOT NULL,
	"authority_id" bigint NOT NULL,
	"serial" text NOT NULL,
	"revoked_at" bigint NOT NULL,
	"expire_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "harmony_revocations_of_authority" ON "harmony_revocations" USING btree ("authority_id","expire_at");