/** Where the kernel has its groups, of either generation. */
export const groups = '/sys/fs/cgroup'

/** How the group that holds the memory of one process is named. */
export const memoryPrefix = 'loggia-memory-'
