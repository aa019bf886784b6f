import { searchWords } from '@fieldroom/contract/search';
import { Skeleton } from '@mantine/core';
import { type MouseEvent, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ResultLines } from '../ResultLines.tsx';
import { searchFault } from '../searchFault.ts';
import { ALL_RESULTS, optionId, type SuggestionsFound } from './useSuggestions.ts';
import styles from './SearchBox.module.css';

interface SuggestionsProps {
  id: string;
  shown: boolean;
  /** The key of the results. */
  searched: string;
  /** How many more characters the key may have, once few are left; the box refers to it. */
  left: { id: string; text: string };
  suggestions: SuggestionsFound;
  /** Index of the option that Enter opens; -1 for none. */
  active: number;
  onActive(index: number): void;
  onChoose(index: number): void;
}

/** The focus stays in the box, so that typing can continue. */
export const keepFocus = (event: MouseEvent) => event.preventDefault();

/** The list below the box, as a listbox whose options the box refers to. */
export function Suggestions({ id, shown, searched, left, suggestions, active, onActive, onChoose }: SuggestionsProps) {
  const { t } = useTranslation('search');
  const { groups, options, total, pending, fault } = suggestions;
  const words = searchWords(searched);
  const said = pending ? t('searching') : fault ? '' : t('found', { count: total });
  useEffect(() => {
    if (active >= 0) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const option = (index: number) => ({
    id: optionId(index),
    role: 'option',
    'aria-selected': index === active,
    className: styles.option,
    onMouseMove: () => index !== active && onActive(index),
    onClick: () => onChoose(index),
  });
  return (
    <>
      <p className="fr-hidden" role="status">
        {shown ? said : ''}
      </p>
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions -- only so that a press takes no focus */}
      <div className={styles.panel} hidden={!shown} onMouseDown={keepFocus}>
        {left.text === '' ? null : (
          <p id={left.id} className={styles.note}>
            {left.text}
          </p>
        )}
        {fault ? (
          <p className={styles.note} role="alert">
            {searchFault(fault)}
          </p>
        ) : pending ? (
          <div className={styles.note} aria-hidden>
            <Skeleton height={20} mt={6} radius={8} />
            <Skeleton height={20} mt={14} radius={8} width="70%" />
          </div>
        ) : total === 0 ? (
          <p className={styles.note}>{t('nothing', { key: searched })}</p>
        ) : null}
        <div id={id} role="listbox" aria-label={t('suggestions')}>
          {groups.map(({ kind, results }) => (
            <div key={kind} role="group" aria-labelledby={`search-kind-${kind}`}>
              <div id={`search-kind-${kind}`} className={styles.kind} role="presentation">
                {t(`kind.${kind}`)}
              </div>
              {results.map((result) => (
                // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the box has the keys
                <div key={result.key} {...option(options.indexOf(result))}>
                  <ResultLines kind={kind} result={result} words={words} />
                </div>
              ))}
            </div>
          ))}
          {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the box has the keys */}
          <div {...option(options.indexOf(ALL_RESULTS))} data-all>
            {t('all', { key: searched })}
          </div>
        </div>
      </div>
    </>
  );
}
