/**
 * A module that is loaded with the first key or while the article is read, so that it is here without a network.
 * @template T
 */
export class LateModule {
  /**
   * @param {() => Promise<T>} load
   * @param {() => void} [showFailure] shows that the module could not be loaded
   */
  constructor(load, showFailure = () => {}) {
    this.load = load;
    this.showFailure = showFailure;
    /** @type {Promise<T | null> | null} */
    this.loading = null;
  }

  /** Returns the module, null if it cannot be loaded now. */
  fetch() {
    this.loading ??= this.load().catch(() => {
      this.loading = null;
      return null;
    });
    return this.loading;
  }

  /**
   * Calls `act` with the module.
   * @param {(module: T) => unknown} act
   */
  async use(act) {
    const module = await this.fetch();
    return module ? act(module) : this.showFailure();
  }

  /** @param {(module: T) => unknown} act */
  ifLoaded(act) {
    this.loading?.then((module) => module && act(module));
  }
}
