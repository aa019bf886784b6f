/** The result of the rules: how one act changes figures, roles and hands, and the ops that browsers get of it. */
import type { FieldOp } from '@fieldroom/contract/field';
import type { ActTrace } from '../field.tables.ts';

export type FigureStep = ActTrace['figures'][number];
export type RoleStep = ActTrace['roles'][number];
export interface RoleWish {
  clientId: number;
  figureId: number;
  to: RoleStep['after'];
}

/** The changes of a command. If all parts are empty, nothing changes. */
export interface Decision {
  figures: FigureStep[];
  hands: { before: boolean; after: boolean } | null;
  roles: RoleWish[];
}

/** A decision that changes only figures. */
export const figuresOnly = (figures: FigureStep[]): Decision => ({ figures, hands: null, roles: [] });
/** A decision that changes only roles. */
export const rolesOnly = (roles: RoleWish[]): Decision => ({ figures: [], hands: null, roles });

/** Returns the ops for a trace in the form that everybody gets: first new and changed figures, then removed ones, then
 * hands. */
export function opsOf(trace: Pick<ActTrace, 'figures' | 'hands'>): FieldOp[] {
  const ops: FieldOp[] = trace.figures.map(({ id, after }) =>
    after ? { op: 'put', figure: after } : { op: 'remove', figureId: id },
  );
  if (trace.hands) ops.push({ op: 'hands', allowed: trace.hands.after });
  return ops;
}
