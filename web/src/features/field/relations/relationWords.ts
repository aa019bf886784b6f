/** The wording of relations: "Father (arrow, “misses”)" (docs/product.md#5.35). */
import type { Relation } from '@fieldroom/contract/field';
import type { TFunction } from 'i18next';

type Words = TFunction<'field'>;
type Look = Pick<Relation, 'kind' | 'word'>;

/** "arrow, “misses”". */
export function relationLook(t: Words, { kind, word }: Look): string {
  const said = t(`relation.kind.${kind}`);
  return word === '' ? said : t('relation.withWord', { kind: said, word });
}

/** "Father (arrow, “misses”)". Takes the name of the other figure. */
export const relationWords = (t: Words, relation: Look, name: string): string =>
  t('relation.to', { name, look: relationLook(t, relation) });

/** The text that a screen reader reads for a figure, with its relations to existing figures. */
export function labelWithRelations(
  t: Words,
  label: string,
  relations: readonly Relation[],
  nameOf: (figureId: number) => string | undefined,
): string {
  const said = relations.flatMap((relation) => {
    const name = nameOf(relation.to);
    return name === undefined ? [] : [relationWords(t, relation, name)];
  });
  return said.length === 0 ? label : t('relation.label', { label, relations: said.join(', ') });
}
