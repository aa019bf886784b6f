/** Small parts that the account forms share. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { IconAlertCircle, IconEye, IconEyeOff, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { faultText } from '../../../platform/i18n/faults.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import styles from '../frame/accounts.module.css';

/**
 * Returns the words for a fault that react-hook-form found in a field, or null where there is none. The fault's message
 * is the contract's stable key.
 */
export function faultAt(place: string, fault: { message?: string | undefined } | undefined): string | null {
  return fault ? faultText(sayProblem, place, fault.message ?? 'invalid') : null;
}

/** Like `faultAt`, for the current password, by which the person proves who they are. */
export function currentPasswordFault(fault: { message?: string | undefined } | undefined): string | null {
  return fault?.message === 'wrong' ? sayProblem('problem.current_password_wrong') : faultAt('currentPassword', fault);
}

/** A password input with an eye that shows what is typed. The eye has a name for screen readers. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('common');
  return (
    <PasswordInput
      size="lg"
      rightSectionWidth={52}
      visibilityToggleIcon={({ reveal }) =>
        reveal ? <IconEyeOff size={20} stroke={1.75} aria-hidden /> : <IconEye size={20} stroke={1.75} aria-hidden />
      }
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0, 'aria-hidden': false }}
      // Mantine's password input, unlike its others, does not set it.
      aria-invalid={Boolean(props.error)}
      {...props}
    />
  );
}

/** A refusal that belongs to no single field. */
export function FormFault({ children }: { children: ReactNode }) {
  return (
    <p className={styles.fault} role="alert">
      <IconAlertCircle size={20} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** Information at the head of a form that is not a fault. It is not announced. */
export function FormNotice({ children }: { children: ReactNode }) {
  return (
    <p className={styles.notice}>
      <IconInfoCircle size={20} stroke={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}
