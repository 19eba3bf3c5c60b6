CREATE TABLE "immersive_pictures" (
	"app_id" bigint PRIMARY KEY NOT NULL,
	"team_id" bigint NOT NULL,
	"state" text NOT NULL,
	"object_id" text,
	"width" integer,
	"height" integer,
	"palette" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"dominant_color" text,
	"text_color" text,
	"passed" jsonb,
	"note" text,
	"submitted_by" bigint,
	"submitted_at" bigint,
	"decided_by" bigint,
	"decided_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "immersive_pictures_waiting" ON "immersive_pictures" USING btree ("submitted_at","app_id") WHERE "immersive_pictures"."state" = 'AUDITING';