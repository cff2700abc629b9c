"""The nouns of the house: frozen values that know no disk, no clock and no environment variable.

Where to find what:

* ``distribution`` - one installed distribution, and what could not be read of one
* ``record_name`` - what the file name of a record states
* ``layout`` - where an environment keeps its distributions, and who looks after it
* ``snapshot`` - the record of one environment at one moment
* ``declared`` - requirement lines and versions as they are written: what they mean on a target
* ``requirement`` - a declared requirement as it stands in one environment
* ``drift`` - the changes between two snapshots
* ``files`` - what was measured of the files, against RECORD
* ``fact`` - what a rule may read of a distribution
* ``accelerator``, ``default_wheels`` - what a distribution was built for, and where that is said
* ``pattern`` - names with ``*`` in them
* ``subject`` - everything that one judgement may look at
* ``finding`` - what a rule or check says, and the remedies that would end it
* ``policy`` - rules as loaded from a file
* ``configuration`` - which rules judge, and how heavily
* ``plan`` - what uv would do, and the commands that were tried
* ``report`` - the result of one command, for every output format
* ``errors`` - the one root of "could not judge"
"""
