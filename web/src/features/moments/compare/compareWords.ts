/** The wording of the difference between two moments: "Mother: new relation to Father (arrow, “misses”)". */
import type { TFunction } from 'i18next';
import { relationLook, relationWords } from '../../field/picture/index.ts';
import type { RelationDifference } from './compareFields.ts';

/** Describes the change of a relation. Takes the figures' names, by id. */
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
