import type pg from 'pg'

/** The role that serves requests: it owns nothing of ours, so row-level security binds it. */
export const applicationRole = 'loggia_app'

/**
 * Whose rows a statement sees: the team's, or all for who works for all. Asked in sub-selects, once a statement and not
 * once a row; the one that answers a boolean leaves the planner a fair guess of how many rows there will be.
 */
const own = `((SELECT coalesce(current_setting('app.scope', true), '') = 'all')
  OR team_id = (SELECT nullif(current_setting('app.team', true), '')::bigint))`

/**
 * Puts every table with a `team_id` under row-level security and grants the application's role what it needs. Safe to
 * run at every start: a new table cannot be forgotten. Rows of no team may be added by anybody and are read by `all` only. `audit` can be
 * added to and read, never changed, but for its network addresses: who works for all teams may take them out.
 */
export async function guardTables(client: pg.ClientBase): Promise<void> {
  await client.query(`
    GRANT USAGE ON SCHEMA public TO ${applicationRole};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${applicationRole};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${applicationRole};
    REVOKE UPDATE, DELETE, TRUNCATE ON audit FROM ${applicationRole};
    GRANT UPDATE (ip) ON audit TO ${applicationRole};
    CREATE SCHEMA IF NOT EXISTS pgboss AUTHORIZATION ${applicationRole};
  `)
  await letOpenSchemas(client)
  // The policy's comment is its definition, so that a table guarded by an older one is found.
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'team_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT (c.relrowsecurity AND c.relforcerowsecurity
      AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'rows_of_team'
        AND obj_description(p.oid, 'pg_policy') = $1))`,
    [own],
  )
  for (const { name } of rows) {
    const table = client.escapeIdentifier(name)
    await client.query(`
      ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
      ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
      DROP POLICY IF EXISTS rows_of_team ON ${table};
      CREATE POLICY rows_of_team ON ${table} TO ${applicationRole} USING ${own} WITH CHECK (${own} OR team_id IS NULL);
      COMMENT ON POLICY rows_of_team ON ${table} IS ${client.escapeLiteral(own)};
    `)
  }
  await guardAddresses(client)
}

/** Services keep tables that people design in schemas of their own: the application's role may make those, by such names only. */
async function letOpenSchemas(client: pg.ClientBase): Promise<void> {
  await client.query(`
    CREATE OR REPLACE FUNCTION open_data_schema(name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog AS $body$
    BEGIN
      IF name !~ '^cdb_[0-9a-z]{1,14}_[a-z][a-z0-9]{0,19}$' THEN
        RAISE EXCEPTION 'a data schema has no such name';
      END IF;
      EXECUTE format('CREATE SCHEMA %I AUTHORIZATION ${applicationRole}', name);
    END $body$;
    REVOKE ALL ON FUNCTION open_data_schema(text) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION open_data_schema(text) TO ${applicationRole};
  `)
}

async function guardAddresses(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_policy WHERE polrelid = 'audit'::regclass AND polname = 'addresses_are_forgotten'`,
  )
  if (rowCount !== 0) return
  await client.query(`
    CREATE POLICY addresses_are_forgotten ON audit AS RESTRICTIVE FOR UPDATE TO ${applicationRole}
      USING (current_setting('app.scope', true) = 'all') WITH CHECK (ip IS NULL)`)
}
