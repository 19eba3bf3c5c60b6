CREATE TABLE "targeting_sizes" (
	"audience_id" bigint NOT NULL,
	"at" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"size" bigint NOT NULL,
	CONSTRAINT "targeting_sizes_audience_id_at_pk" PRIMARY KEY("audience_id","at")
);
--> statement-breakpoint
CREATE INDEX "targeting_sizes_at" ON "targeting_sizes" USING btree ("at");