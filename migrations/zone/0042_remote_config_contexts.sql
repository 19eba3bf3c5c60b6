CREATE TABLE "rcs_contexts" (
	"project_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"place" integer NOT NULL,
	"team_id" bigint NOT NULL,
	"seen_at" bigint NOT NULL,
	"attributes" jsonb NOT NULL,
	CONSTRAINT "rcs_contexts_project_id_kind_place_pk" PRIMARY KEY("project_id","kind","place")
);
--> statement-breakpoint
CREATE INDEX "rcs_contexts_seen" ON "rcs_contexts" USING btree ("seen_at");