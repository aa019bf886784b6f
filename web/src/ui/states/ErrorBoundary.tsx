import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** Shown instead of children that could not be drawn. */
  fallback(error: unknown): ReactNode;
  /** Called once for each fault. */
  onError?(error: unknown): void;
  children: ReactNode;
}

/** Draws something else if its children throw. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { thrown: { error: unknown } | null }> {
  override state: { thrown: { error: unknown } | null } = { thrown: null };

  static getDerivedStateFromError(error: unknown) {
    return { thrown: { error } };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError?.(error);
  }

  override render() {
    return this.state.thrown ? this.props.fallback(this.state.thrown.error) : this.props.children;
  }
}
