/**
 * The search box of the top bar (docs/product.md#11.32): suggests while somebody types, and runs the search on Enter.
 * On a phone it is a button that opens the box over the bar, and runs the search the second time.
 */
import { SEARCH_PAGE } from '@fieldroom/contract/pages';
import { isSearchable, SEARCH_KEY_MAX } from '@fieldroom/contract/search';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { charactersLeft } from '../../../platform/i18n/charactersLeft.ts';
import { useBackCloses } from '../../../ui/dialogs/backCloses.ts';
import { QuietButton } from '../../../ui/controls/QuietButton.tsx';
import { useMediaQuery } from '../../../ui/useMediaQuery.ts';
import { keyIn } from '../searchAddress.ts';
import type { MenuPage, Place } from '../shownResults.ts';
import { keepFocus, Suggestions } from './Suggestions.tsx';
import { useSearchKey } from './useSearchKey.ts';
import { ALL_RESULTS, keyOf, optionId, useSuggestions } from './useSuggestions.ts';
import styles from './SearchBox.module.css';

/** As in Shell.module.css. */
const NARROW = '(max-width: 767px)';
/** While somebody is still typing, results for the beginning are not wanted. */
const REST_MS = 250;
const LIST_ID = 'search-suggestions';
const HINT_ID = 'search-hint';
const LEFT_ID = 'search-left';

/** The query of the results page; null on other pages. */
const useKeyOfPage = (): string | null =>
  useRouterState({
    select: ({ location: { pathname, search } }) => (pathname === SEARCH_PAGE ? keyIn(search) : null),
  });

export interface SearchBoxProps {
  pages: readonly MenuPage[];
  /** Whether the box is drawn. Its key works from the beginning: the box opens as soon as it is drawn. */
  drawn: boolean;
}

/**
 * Ctrl+K (⌘ K) focuses it from the first moment, even before it is drawn. `pages` are those of the person's menu, which
 * a search finds too (docs/product.md#11.27).
 */
export function SearchBox({ pages, drawn }: SearchBoxProps) {
  const presses = useSearchKey();
  return drawn ? <DrawnSearchBox pages={pages} presses={presses} /> : null;
}

interface DrawnSearchBoxProps {
  pages: readonly MenuPage[];
  /** How often the search key was pressed. */
  presses: number;
}

function DrawnSearchBox({ pages, presses }: DrawnSearchBoxProps) {
  const { t } = useTranslation('search');
  const navigate = useNavigate();
  const narrow = useMediaQuery(NARROW);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const keyOfPage = useKeyOfPage();
  const [text, setText] = useState(keyOfPage ?? '');
  /** The box over the bar, on a phone. */
  const [open, setOpen] = useState(false);
  /** The list below the box. */
  const [listed, setListed] = useState(false);
  const [tooShort, setTooShort] = useState(false);
  /** The option that Enter opens, by its key: more options may arrive. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [rested] = useDebouncedValue(text.trim().toLowerCase(), REST_MS);
  const suggestions = useSuggestions(listed ? rested : '', pages);
  const { options } = suggestions;
  const active = options.findIndex((option) => keyOf(option) === chosen);
  const setActive = (index: number) => setChosen(index < 0 ? null : keyOf(options[index]!));
  const shown = listed && isSearchable(text) && isSearchable(rested);
  const left = shown ? charactersLeft(sayProblem, text, SEARCH_KEY_MAX) : '';

  // On the results page the box shows the query. Set it synchronously so that later typing is kept.
  useLayoutEffect(() => setText(keyOfPage ?? ''), [keyOfPage]);
  useEffect(() => {
    if (open) input.current?.focus();
  }, [open]);
  useEffect(() => setChosen(null), [rested]);
  // Focus before the next keystroke, which belongs to the query.
  useLayoutEffect(() => {
    if (presses === 0) return;
    setOpen(true);
    input.current?.focus();
    input.current?.select();
  }, [presses]);

  const close = () => {
    setListed(false);
    setOpen(false);
    setTooShort(false);
  };
  const go = ({ to, search }: Place) => {
    close();
    input.current?.blur();
    if (to !== SEARCH_PAGE) setText('');
    void navigate({ to, search: (search ?? {}) as never });
  };
  const run = () => {
    if (!isSearchable(text)) {
      setTooShort(true);
      input.current?.focus();
      return;
    }
    go({ to: SEARCH_PAGE, search: { key: text.trim().toLowerCase() } });
  };
  const press = () => {
    if (narrow && !open) setOpen(true);
    else run();
  };
  const type = (typed: string) => {
    setText(typed);
    setTooShort(false);
    setListed(true);
  };
  const clear = () => {
    type('');
    setListed(false);
    input.current?.focus();
  };
  /** Clears first, then closes. */
  const escape = () => {
    if (text !== '') return clear();
    close();
    if (narrow) button.current?.focus();
    else input.current?.blur();
  };
  useBackCloses(narrow && open, () => {
    close();
    button.current?.focus();
  });
  const move = (by: 1 | -1) => {
    if (!shown) return setListed(true);
    // The box itself is between the last option and the first.
    const places = options.length + 1;
    setActive(((active + 1 + by + places) % places) - 1);
  };
  const choose = (index: number) => {
    const option = options[index];
    if (option === undefined || option === ALL_RESULTS) run();
    else go(option.place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Leave Enter and Escape to an open input method (IME).
    if (event.nativeEvent.isComposing) return;
    const act = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => choose(shown ? active : -1),
      Escape: escape,
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const onBlur = (event: FocusEvent<HTMLFormElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };

  return (
    <form
      role="search"
      aria-label={t('label')}
      className={styles.box}
      data-open={open || undefined}
      onSubmit={(event) => event.preventDefault()}
      onBlur={onBlur}
    >
      <button
        ref={button}
        type="button"
        className={styles.run}
        aria-label={t(narrow && !open ? 'open' : 'run')}
        onMouseDown={keepFocus}
        onClick={press}
      >
        <IconSearch size={20} stroke={1.75} aria-hidden />
      </button>
      <input
        ref={input}
        className={styles.input}
        type="text"
        role="combobox"
        aria-label={t('label')}
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={LIST_ID}
        aria-activedescendant={shown && active >= 0 ? optionId(active) : undefined}
        aria-describedby={tooShort ? HINT_ID : left === '' ? undefined : LEFT_ID}
        aria-invalid={tooShort}
        aria-keyshortcuts="Control+K Meta+K"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={SEARCH_KEY_MAX}
        placeholder={t('placeholder')}
        title={t('shortcut')}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {text === '' ? null : (
        <QuietButton label={t('clear')} size="inside" onClick={clear}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </QuietButton>
      )}
      <p id={HINT_ID} className={styles.hint} role="status">
        {tooShort ? t('tooShort') : ''}
      </p>
      <Suggestions
        id={LIST_ID}
        shown={shown}
        searched={rested}
        left={{ id: LEFT_ID, text: left }}
        suggestions={suggestions}
        active={active}
        onActive={setActive}
        onChoose={choose}
      />
    </form>
  );
}
