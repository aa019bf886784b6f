/** Asks the sources that the account has, and puts their answers in order. Rules: docs/product.md#11.27. */
import {
  SEARCH_BOX_SIZE,
  SEARCH_KINDS,
  type SearchGroup,
  type SearchKind,
  searchWords,
} from '@fieldroom/contract/search';
import type { Account } from '../../access.ts';
import type { AnySearchSource } from '../../feature.ts';
import type { Config } from '../../platform/config.ts';
import type { Limits } from '../../platform/limits.ts';

export interface SearchParts {
  limits: Pick<Limits, 'take'>;
  config: Pick<Config, 'limits'>;
  /** At most one of each kind. */
  sources: readonly AnySearchSource[];
}

/** The query, parsed by the contract. */
export interface SearchInput {
  key: string;
  kind?: SearchKind | null | undefined;
  from?: number | null | undefined;
  size?: number | null | undefined;
}

export type SearchService = ReturnType<typeof createSearchService>;

/** Makes the search over the given sources. Its groups come in the order of SEARCH_KINDS. */
export function createSearchService({ limits, config, sources }: SearchParts) {
  const inOrder = SEARCH_KINDS.flatMap((kind) => sources.filter((source) => source.kind === kind));
  return {
    /** Searches for an account. Problem: `too_many_requests`. */
    async find(account: Pick<Account, 'id' | 'roles'>, input: SearchInput): Promise<{ groups: SearchGroup[] }> {
      await limits.take(`search ${account.id}`, config.limits.search);
      const wanted = { words: searchWords(input.key), from: input.from ?? 0, size: input.size ?? SEARCH_BOX_SIZE };
      const groups: SearchGroup[] = [];
      // One after another: at once they would take a connection each, and everybody else would wait.
      for (const source of inOrder) {
        if (!account.roles.includes(source.role)) continue;
        if (input.kind != null && source.kind !== input.kind) continue;
        const { items, total } = await source.find(account.id, wanted);
        groups.push({ kind: source.kind, items, total } as SearchGroup);
      }
      return { groups };
    },
  };
}
