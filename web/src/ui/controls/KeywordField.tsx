/** A field for a keyword, above a list. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { ASK_AFTER_MS } from '../typingTimes.ts';
import { QuietButton } from './QuietButton.tsx';
import styles from './KeywordField.module.css';

export interface KeywordFieldProps {
  label: string;
  /** Whether the label is above the field; otherwise it is the placeholder. */
  labelShown?: boolean;
  /** The words of the button that empties the field. */
  clearLabel: string;
  className?: string | undefined;
  /** In characters. */
  maxLength: number;
  /** The sentence about what is wrong with a word; null if it can be searched for. */
  faultOf(typed: string): string | null;
  /** The keyword of the current list; empty for none. */
  keyword: string;
  /** Gets the trimmed word, or null for none. */
  onKeyword(keyword: string | null): void;
}

/**
 * Calls back once typing pauses, not at each letter. It calls the current `onKeyword`: other filters may have changed
 * since the typing. A word with a fault is not searched for; the fault is shown at once.
 */
export function KeywordField({
  label,
  labelShown = false,
  clearLabel,
  className = '',
  maxLength,
  faultOf,
  keyword,
  onKeyword,
}: KeywordFieldProps) {
  const [typed, setTyped] = useState(keyword);
  const search = useDebouncedCallback((text: string) => {
    if (text.trim() !== keyword && faultOf(text) === null) onKeyword(text.trim() || null);
  }, ASK_AFTER_MS);
  const type = (text: string) => {
    setTyped(text);
    search(text);
  };
  return (
    <TextInput
      className={`${styles.keyword} ${className}`}
      type="search"
      {...(labelShown ? { label } : { 'aria-label': label, placeholder: label })}
      maxLength={maxLength}
      leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
      rightSection={
        typed === '' ? null : (
          <QuietButton label={clearLabel} size="inside" onClick={() => type('')}>
            <IconX size={18} stroke={1.75} aria-hidden />
          </QuietButton>
        )
      }
      value={typed}
      error={faultOf(typed)}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
