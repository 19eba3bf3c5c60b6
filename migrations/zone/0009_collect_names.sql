CREATE TABLE "collect_names" (
	"team_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"last_day" text NOT NULL,
	CONSTRAINT "collect_names_team_id_kind_name_pk" PRIMARY KEY("team_id","kind","name")
);
