"""What tests are made of.

* ``builders`` - snapshots and distributions in memory, from a few words
* ``written`` - a snapshot written out as a virtual environment, for readers and for uv
* ``wheels`` - tiny real wheels, built into a local folder
* ``environments`` - real virtual environments, and real uv, offline
* ``judging`` - a snapshot judged in memory
* ``commands`` - envaudit as a program, and what commands are called with
* ``records`` - the files of a ``.dist-info`` folder as text
"""
