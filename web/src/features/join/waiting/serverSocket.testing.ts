/** A WebSocket with the test at its other end, which speaks the server's STOMP. */
export class ServerSocket {
  static all: ServerSocket[] = [];
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = 0;
  binaryType = '';
  protocol = 'v12.stomp';
  onopen: ((event: unknown) => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    ServerSocket.all.push(this);
  }
  send() {}
  close(code = 1000) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({ code, reason: '', wasClean: true });
  }
  open() {
    this.readyState = 1;
    this.onopen?.({});
  }
  /** Open and let in. */
  connect() {
    this.open();
    this.frame('CONNECTED', { version: '1.2', 'heart-beat': '0,20000' });
  }
  frame(command: string, headers: Record<string, string>, body = '') {
    this.onmessage?.({
      data: `${command}\n${Object.entries(headers)
        .map(([name, value]) => `${name}:${value}`)
        .join('\n')}\n\n${body}\u0000`,
    });
  }
  tell(change: object) {
    this.frame(
      'MESSAGE',
      { subscription: 'own', 'message-id': '1', destination: '/sb/user/only/9' },
      JSON.stringify(change),
    );
  }
  /** Ends the connection as the server does when it refuses one: the code in a header, words in the body. */
  refuse(code: string) {
    this.frame('ERROR', { message: 'some words', code, 'content-type': 'text/plain' }, 'some words\n');
    this.close(1008);
  }
}
