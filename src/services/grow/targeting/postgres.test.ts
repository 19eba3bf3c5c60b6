import { afterAll, beforeAll, expect, it } from 'vitest'
import { microPercent } from '../../../kernel/targeting/bucket.ts'
import { openStage, type Stage } from '../../../testkit/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

/** The formula of brief growth 8.3 in PL/pgSQL, written from the algorithm; products are taken in halves to stay in 63 bits. */
const functions = `
CREATE FUNCTION mul32(a bigint, b bigint) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
  SELECT ((a & 65535) * b + ((((a >> 16) * b) & 65535) << 16)) & 4294967295 $$;
CREATE FUNCTION rot32(a bigint, n int) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
  SELECT ((a << n) | (a >> (32 - n))) & 4294967295 $$;
CREATE FUNCTION murmur3(data bytea) RETURNS bigint IMMUTABLE LANGUAGE plpgsql AS $$
DECLARE h bigint := 0; k bigint; size int := length(data); tail int := size - size % 4;
BEGIN
  FOR at IN 0 .. tail - 1 BY 4 LOOP
    k := get_byte(data, at) | (get_byte(data, at + 1) << 8) | (get_byte(data, at + 2) << 16)
      | (get_byte(data, at + 3)::bigint << 24);
    h := h # mul32(rot32(mul32(k, 3432918353), 15), 461845907);
    h := (mul32(rot32(h, 13), 5) + 3864292196) & 4294967295;
  END LOOP;
  k := 0;
  FOR at IN REVERSE size - 1 .. tail LOOP k := k << 8 | get_byte(data, at); END LOOP;
  h := h # mul32(rot32(mul32(k, 3432918353), 15), 461845907) # size;
  h := mul32(h # (h >> 16), 2246822507);
  h := mul32(h # (h >> 13), 3266489909);
  RETURN h # (h >> 16);
END $$`

it('PostgreSQL puts twenty thousand ids where the server puts them', async () => {
  for (const statement of functions.split(';\nCREATE').map((one, at) => (at === 0 ? one : `CREATE${one}`))) {
    await stage.sql('CN', statement)
  }
  const ids = Array.from({ length: 20_000 }, (_, at) => `${['user', 'ü', '用户', '😀', ''][at % 5]}-${at}`)
  const rows = await stage.sql<{ place: number }>(
    'CN',
    `SELECT floor(murmur3(convert_to('rollout' || chr(31) || 'abc' || chr(31) || id, 'UTF8'))::numeric
      * 100000000 / 4294967296)::int AS place FROM unnest($1::text[]) WITH ORDINALITY AS one (id, at) ORDER BY at`,
    [ids],
  )
  expect(rows.map(row => row.place)).toEqual(ids.map(id => microPercent('rollout', 'abc', id)))
})
