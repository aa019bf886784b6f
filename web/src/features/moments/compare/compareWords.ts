/** How the difference between two moments is said: "Mother: new relation to Father (arrow, “misses”)". */
import type { TFunction } from 'i18next';
import { relationLook, relationWords } from '../../field/picture/index.ts';
import type { RelationDifference } from './compareFields.ts';

/** Says what happened to a relation. Takes what figures are called, by id. */
export function relationDifferenceWords(
  t: TFunction<'moments'>,
  tf: TFunction<'field'>,
  found: RelationDifference,
  nameOf: (figureId: number) => string,
): string {
  const names = { name: nameOf(found.from), relation: relationWords(tf, found.relation, nameOf(found.relation.to)) };
  return found.kind === 'changed'
    ? t('compare.relation.changed', { ...names, before: relationLook(tf, found.before) })
    : t(`compare.relation.${found.kind}`, names);
}
