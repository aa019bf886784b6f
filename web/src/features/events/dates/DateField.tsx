/** A field for a day that a list is filtered by. */
import { isDay } from '@fieldroom/contract/events';
import { TextInput } from '@mantine/core';
import { useState } from 'react';

/** Nothing is older than the service. */
const FIRST_YEAR = 2000;

export interface DateFieldProps {
  label: string;
  day: string | null;
  /** Reports that a typed day is impossible. */
  wrong: string;
  min?: string | null;
  disabled?: boolean;
  onDay(day: string | null): void;
}

/**
 * A day that is picked or typed. While a year is being typed, browsers report the years 2, 20 and 202. So only a
 * plausible day is passed on, and only a day that stays wrong is marked.
 */
export function DateField({ label, day, wrong, min = null, disabled = false, onDay }: DateFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [left, setLeft] = useState(false);
  return (
    <TextInput
      type="date"
      label={label}
      value={typed ?? day ?? ''}
      disabled={disabled}
      {...(min ? { min } : {})}
      error={left && typed !== null ? wrong : null}
      onBlur={() => setLeft(true)}
      onChange={({ currentTarget: { value } }) => {
        const meant = value === '' || (isDay(value) && Number(value.slice(0, 4)) >= FIRST_YEAR);
        setLeft(false);
        setTyped(meant ? null : value);
        if (meant) onDay(value || null);
      }}
    />
  );
}
