/** The parts of the browser's extension interface that the extension uses. Firefox has it under the same name. */
declare namespace chrome {
  interface Event<Listener> {
    addListener(listener: Listener): void;
  }

  namespace runtime {
    interface Port {
      readonly name: string;
      readonly onMessage: Event<(message: unknown) => void>;
      readonly onDisconnect: Event<() => void>;
      postMessage(message: unknown): void;
      disconnect(): void;
    }
    const onConnect: Event<(port: Port) => void>;
    /** A listener returns true if it answers later. */
    const onMessage: Event<(message: unknown, sender: unknown, reply: (answer: unknown) => void) => boolean>;
    function connect(options: { readonly name: string }): Port;
    function sendMessage(message: unknown): Promise<unknown>;
    function getContexts(filter: { readonly contextTypes: readonly string[] }): Promise<readonly unknown[]>;
    function openOptionsPage(): Promise<void>;
  }

  namespace tabs {
    interface Tab {
      readonly id?: number;
    }
    function query(filter: { readonly active: boolean; readonly currentWindow: boolean }): Promise<readonly Tab[]>;
  }

  namespace scripting {
    function executeScript<Args extends readonly unknown[], Result>(injection: {
      readonly target: { readonly tabId: number };
      readonly func: (...args: Args) => Result;
      readonly args: Args;
    }): Promise<readonly { readonly result?: Result }[]>;
  }

  namespace offscreen {
    function createDocument(options: {
      readonly url: string;
      readonly reasons: readonly string[];
      readonly justification: string;
    }): Promise<void>;
  }

  namespace storage {
    const local: {
      get(key: string): Promise<Record<string, unknown>>;
      set(items: Record<string, unknown>): Promise<void>;
      remove(key: string): Promise<void>;
    };
  }
}
