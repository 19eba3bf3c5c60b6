CREATE TABLE "support_contacts" (
	"team_id" bigint NOT NULL,
	"address" text NOT NULL,
	"code_sealed" text,
	"tries_left" integer NOT NULL,
	"sent_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"verified_at" bigint,
	"asked_by" bigint NOT NULL,
	CONSTRAINT "support_contacts_team_id_address_pk" PRIMARY KEY("team_id","address")
);
