/** The acts of therapists on their prepared constellations. Rules: README.md. */
import { CONSTELLATIONS_MAX, type Constellation, type ConstellationFigure } from '@fieldroom/contract/constellations';
import { withStandIn } from '@fieldroom/contract/field';
import { Problem } from '../../platform/problem.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Field } from '../field/index.ts';
import type { Queries, Room } from '../room/index.ts';
import { keptOf, keyOf } from './constellations.rules.ts';
import * as store from './constellations.store.ts';

export interface ConstellationsParts {
  db: Db;
  room: Pick<Room, 'lock' | 'tell'>;
  field: Pick<Field, 'snapshot' | 'iconIds'>;
}

export interface ConstellationsService {
  all(therapistId: number): Promise<Constellation[]>;
  /** The figures that a load would bring now. Problem: `not_found`. */
  figures(therapistId: number, id: number): Promise<ConstellationFigure[]>;
  /**
   * Keeps the field as it is. With `replace`, a constellation of this name gets the new figures. Problems:
   * `field_empty`, `constellation_name_taken`, `constellations_full`.
   */
  save(therapistId: number, input: { name: string; replace?: boolean | undefined }): Promise<Constellation>;
  /** Problems: `not_found`, `constellation_name_taken`. */
  rename(therapistId: number, id: number, name: string): Promise<Constellation>;
  /** Problem: `not_found`. */
  remove(therapistId: number, id: number): Promise<void>;
}

/** Makes the acts on constellations. Every change is sent to the therapist's other screens. */
export function createConstellationsService({ db, room, field }: ConstellationsParts): ConstellationsService {
  /** The therapist's other screens show the same list. */
  const tellScreens = (therapistId: number) =>
    room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'constellations' } });

  /**
   * Runs work under the room's lock, so that two at once cannot both take one name or the last place. Takes the icons,
   * by which the answer counts stand-ins.
   */
  async function change<T>(
    therapistId: number,
    work: (tx: Queries, icons: ReadonlySet<number>) => Promise<T>,
  ): Promise<T> {
    const done = await db.transaction(async (tx) => {
      await room.lock(tx, therapistId);
      return work(tx, await field.iconIds(tx, therapistId));
    });
    tellScreens(therapistId);
    return done;
  }

  return {
    all: async (therapistId) => store.readConstellations(db, therapistId, await field.iconIds(db, therapistId)),

    async figures(therapistId, id) {
      const kept = await store.findFigures(db, therapistId, id);
      if (kept === null) throw new Problem('not_found');
      const icons = await field.iconIds(db, therapistId);
      return kept.map((figure) => withStandIn(figure, icons));
    },

    save: (therapistId, { name, replace = false }) =>
      change(therapistId, async (tx, icons) => {
        const { figures: standing } = await field.snapshot(therapistId, tx);
        if (standing.length === 0) throw new Problem('field_empty');
        const values = { therapistId, name, nameKey: keyOf(name), figures: keptOf(standing) };
        const id = await store.findByName(tx, therapistId, values.nameKey);
        if (id !== null && !replace) throw new Problem('constellation_name_taken');
        if (id !== null) return store.replaceConstellation(tx, { ...values, id }, icons);
        if ((await store.countConstellations(tx, therapistId)) >= CONSTELLATIONS_MAX)
          throw new Problem('constellations_full');
        return store.insertConstellation(tx, values, icons);
      }),

    rename: (therapistId, id, name) =>
      change(therapistId, async (tx, icons) => {
        const nameKey = keyOf(name);
        if ((await store.findByName(tx, therapistId, nameKey, id)) !== null)
          throw new Problem('constellation_name_taken');
        const renamed = await store.renameConstellation(tx, { therapistId, id, name, nameKey }, icons);
        if (renamed === null) throw new Problem('not_found');
        return renamed;
      }),

    async remove(therapistId, id) {
      if (!(await store.deleteConstellation(db, therapistId, id))) throw new Problem('not_found');
      tellScreens(therapistId);
    },
  };
}
