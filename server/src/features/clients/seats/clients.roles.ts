/** Roles: who holds which figure. Every change returns what it did, so that the field can undo it. */
import { Problem } from '../../../platform/problem.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import * as store from '../clients.store.ts';
import type { Clients, RoleHold, RoleTrace } from '../clients.types.ts';

type Held = { figureId: number; active: boolean }[];

/** Runs a change on one client's roles and returns the difference. */
async function traced(tx: Queryable, clientId: number, work: (held: Held) => Promise<void>): Promise<RoleTrace[]> {
  const before = await store.rolesOfClients(tx, [clientId]);
  await work(before);
  return difference(clientId, before, await store.rolesOfClients(tx, [clientId]));
}

function difference(clientId: number, before: Held, after: Held): RoleTrace[] {
  const hold = (held: Held, figureId: number): RoleHold => {
    const role = held.find((one) => one.figureId === figureId);
    return role === undefined ? 'none' : role.active ? 'active' : 'held';
  };
  const figureIds = new Set([...before, ...after].map((role) => role.figureId));
  return [...figureIds]
    .map((figureId) => ({ clientId, figureId, before: hold(before, figureId), after: hold(after, figureId) }))
    .filter((trace) => trace.before !== trace.after);
}

/** The acts on roles; `Clients` describes what each takes and returns. */
export const roleActs: Pick<Clients, 'giveRole' | 'takeRole' | 'setActiveRole' | 'freeAllRoles' | 'restoreRoles'> = {
  async giveRole(tx, { therapistId, clientId, figureId }) {
    await getSeated(tx, therapistId, clientId);
    if (!(await store.isFigureOf(tx, therapistId, figureId))) throw new Problem('not_found');
    return traced(tx, clientId, async (held) => {
      if (held.some((role) => role.figureId === figureId)) return;
      await store.insertRole(tx, { therapistId, clientId, figureId, active: !held.some((role) => role.active) });
    });
  },

  async takeRole(tx, { therapistId, clientId, figureId }) {
    await getSeated(tx, therapistId, clientId);
    return traced(tx, clientId, async (held) => {
      const role = held.find((one) => one.figureId === figureId);
      if (role === undefined) return;
      await store.deleteRole(tx, clientId, figureId);
      const next = held.find((one) => one.figureId !== figureId);
      if (role.active && next) await store.activate(tx, clientId, next.figureId);
    });
  },

  async setActiveRole(tx, { therapistId, clientId, figureId }) {
    await getSeated(tx, therapistId, clientId);
    return traced(tx, clientId, async (held) => {
      if (figureId !== null && !held.some((role) => role.figureId === figureId)) throw new Problem('role_not_held');
      await store.activate(tx, clientId, figureId);
    });
  },

  async freeAllRoles(tx, therapistId) {
    const held = await store.rolesOfRoom(tx, therapistId);
    await store.deleteRolesOf(tx, [...new Set(held.map((role) => role.clientId))]);
    await store.forgetFormerRoles(tx, therapistId);
    return held.map((role) => ({
      clientId: role.clientId,
      figureId: role.figureId,
      before: role.active ? 'active' : 'held',
      after: 'none',
    }));
  },

  async restoreRoles(tx, therapistId, wanted) {
    const traces: RoleTrace[] = [];
    const seated = new Set((await store.inRoom(tx, therapistId)).map((client) => client.id));
    for (const clientId of new Set(wanted.map((role) => role.clientId))) {
      if (!seated.has(clientId)) continue;
      const mine = wanted.filter((role) => role.clientId === clientId);
      traces.push(
        ...(await traced(tx, clientId, async (held) => {
          for (const { figureId, to } of mine) {
            const has = held.some((role) => role.figureId === figureId);
            if (to === 'none' && has) await store.deleteRole(tx, clientId, figureId);
            if (to !== 'none' && !has && (await store.isFigureOf(tx, therapistId, figureId)))
              await store.insertRole(tx, { therapistId, clientId, figureId, active: false });
          }
          const active = mine.find((role) => role.to === 'active');
          const now = await store.rolesOfClients(tx, [clientId]);
          if (active && now.some((role) => role.figureId === active.figureId))
            await store.activate(tx, clientId, active.figureId);
          else {
            for (const { figureId } of mine.filter((role) => role.to === 'held')) {
              if (now.some((role) => role.figureId === figureId && role.active))
                await store.activate(tx, clientId, null);
            }
          }
        })),
      );
    }
    return traces;
  },
};

async function getSeated(tx: Queryable, therapistId: number, clientId: number): Promise<store.ClientRow> {
  const client = await store.findClient(tx, clientId);
  if (client === null || client.therapistId !== therapistId || client.state !== 'in') throw new Problem('not_found');
  return client;
}
